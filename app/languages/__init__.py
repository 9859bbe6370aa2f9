"""The window's languages: English in the code, others from a file of translations each.

`packaging/languages.py` brings the files up to date.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from engine import paths

SOURCE = "en"


def folder() -> str:
    """Where the translations lie."""
    return str(paths.shipped() / "app" / "languages")


def speak(application: QCoreApplication, choice: str) -> str:
    """Use a language for every window opened from now on; "system" is the desktop's first choice.

    Returns the language used: English where there is no translation.
    """
    wanted = [choice]
    if choice == "system":
        wanted = [name[:2].lower() for name in QLocale.system().uiLanguages()]
    for language in wanted:
        if language == SOURCE:
            break
        translator = QTranslator(application)
        if translator.load(language, folder()):
            application.installTranslator(translator)
            _speak_qt(application, language)
            return language
    return SOURCE


def _speak_qt(application: QCoreApplication, language: str) -> None:
    """The words of Qt's own dialogs and buttons."""
    translator = QTranslator(application)
    where = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(f"qtbase_{language}", where):
        application.installTranslator(translator)
