"""The root of every error that a user can cause and can mend.

Rooms further up the chain derive their own families from `UserError`; the
command line turns any of them into exit status 2 and one sentence, the page
into one notice. Everything else is a bug and keeps its traceback.
"""


class UserError(Exception):
    """One sentence: what was expected, what came, what to do."""


class UnreadableFile(UserError):
    """A file that cannot be read as the 3-D image it was taken for."""


class UnknownStudy(UserError):
    """A study id that the catalogue does not list."""


class UnknownName(UserError):
    """A name (plane, representation, weights, model …) that no table holds."""


class UnknownSlice(UserError):
    """A slice index outside its volume."""


class NoBrain(UserError):
    """A volume without foreground, where a brain was to be found."""


class UnwritableFolder(UserError):
    """A folder of the application's own that cannot be written to."""


class UnwritableFile(UserError):
    """A file or folder that the user named and that cannot be written."""


class BadSetting(UserError):
    """A setting of the command line or of the environment that cannot be followed."""
