; Installer of the bundle for one user, without administrator rights. Not tested: it was written
; without a Windows machine. Run from the folder that holds "PADS Live": makensis installer.nsi
Unicode true
Name "PADS Live"
OutFile "pads-live-0.1.0-windows-x86_64-setup.exe"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\PADS Live"
InstallDirRegKey HKCU "Software\PADS Live" "folder"
SetCompressor /SOLID lzma
Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

Section
  SetOutPath "$INSTDIR"
  RMDir /r "$INSTDIR\_internal" ; parts of an older version must not be found beside the new ones
  File /r "PADS Live\*.*"
  WriteRegStr HKCU "Software\PADS Live" "folder" "$INSTDIR"
  CreateShortcut "$SMPROGRAMS\PADS Live.lnk" "$INSTDIR\pads.exe"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\Uninstall\PADS Live" "DisplayName" "PADS Live"
  WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\Uninstall\PADS Live" "DisplayVersion" "0.1.0"
  WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\Uninstall\PADS Live" "UninstallString" '"$INSTDIR\uninstall.exe"'
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
  DeleteRegKey HKCU "Software\Microsoft\Windows\CurrentVersion\Uninstall\PADS Live"
  DeleteRegKey HKCU "Software\PADS Live"
SectionEnd
