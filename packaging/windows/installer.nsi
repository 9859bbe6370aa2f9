; Installer of the bundle for one user, without administrator rights. It compiles, and was never
; started: it was written without a Windows machine. packaging/windows_macos.py calls it and says
; VERSION, FOLDER (the bundle), ICON and MADE (the installer's file).
Unicode true
Name "PADS Live"
OutFile "${MADE}"
Icon "${ICON}"
UninstallIcon "${ICON}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "PADS Live"
VIAddVersionKey "FileDescription" "Installer of PADS Live"
VIAddVersionKey "CompanyName" "The PADS Live authors"
VIAddVersionKey "LegalCopyright" "Apache-2.0"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\PADS Live"
InstallDirRegKey HKCU "Software\PADS Live" "folder"
SetCompressor /SOLID lzma
!define LISTED "Software\Microsoft\Windows\CurrentVersion\Uninstall\PADS Live"
Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

Section
  SetOutPath "$INSTDIR"
  RMDir /r "$INSTDIR\_internal" ; parts of an older version must not be found beside the new ones
  File /r "${FOLDER}\*.*"
  WriteRegStr HKCU "Software\PADS Live" "folder" "$INSTDIR"
  CreateShortcut "$SMPROGRAMS\PADS Live.lnk" "$INSTDIR\pads.exe"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${LISTED}" "DisplayName" "PADS Live"
  WriteRegStr HKCU "${LISTED}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${LISTED}" "DisplayIcon" "$INSTDIR\pads.exe"
  WriteRegStr HKCU "${LISTED}" "Publisher" "The PADS Live authors"
  WriteRegStr HKCU "${LISTED}" "UninstallString" '"$INSTDIR\uninstall.exe"'
SectionEnd

Section "Uninstall" ; sessions, settings and models of the user stay where they are
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\pads.exe"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\THIRD-PARTY.txt"
  Delete "$INSTDIR\sbom.cdx.json"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\PADS Live.lnk"
  DeleteRegKey HKCU "${LISTED}"
  DeleteRegKey HKCU "Software\PADS Live"
SectionEnd
