"""What keeps a model from being loaded or asked, in words.

UserError
├── ModelUnavailable   weights missing, gated, offline, incomplete, of a wrong kind
├── OutOfMemory        loading or asking took more memory than there is
└── UnfitPrompt        a prompt that the loaded model cannot take
"""

from viewer.errors import UserError


class ModelUnavailable(UserError):
    """A model that cannot be loaded here: which, why, and what mends it."""


class UnfitPrompt(UserError):
    """A prompt with more pictures, or more tokens, than the model takes."""


class OutOfMemory(UserError):
    """Loading or asking a model took more memory than there is."""
