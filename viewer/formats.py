"""Which file format lies on the disk, told by its first bytes and not by its name.

Only NIfTI is opened. Everything else that turns up where an image is expected
is named, so that the reader knows what to fetch or to convert.
"""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

from viewer.errors import UnreadableFile

HEADER_BYTES = 544
"""Enough for a NIfTI-2 header (540 bytes) and the extension flag."""
FIRST_READ = 4096
GZIP_MAGIC = b"\x1f\x8b"
GZIP_WINDOW = 31
"""zlib's window bits for one gzip member."""


@dataclass(frozen=True)
class Signature:
    """Bytes `magic` at offset `at` betray that a file is `what`."""

    at: int
    magic: bytes
    what: str
    remedy: str


SIGNATURES = (
    Signature(
        0,
        b"version https://git-lfs",
        "a Git LFS pointer, not the image itself",
        "fetch the data with 'git lfs pull'",
    ),
    Signature(
        0,
        b"/annex/objects",
        "a git-annex pointer, not the image itself",
        "fetch the data with 'git annex get'",
    ),
    Signature(0, b"<", "a web page or XML text", "download the image again"),
    Signature(0, b"CDF", "a MINC image", "convert it to NIfTI"),
    Signature(0, b"\x89HDF", "a MINC 2 (HDF5) file", "convert it to NIfTI"),
    Signature(0, b"NRRD", "an NRRD image", "convert it to NIfTI"),
    Signature(0, b"ObjectType", "a MetaImage", "convert it to NIfTI"),
    Signature(0, b"PK\x03\x04", "a zip archive", "unpack it"),
    Signature(0, b"\x00\x00\x00\x01\x00\x00", "a FreeSurfer MGH image", "convert it to NIfTI"),
    Signature(128, b"DICM", "a DICOM file", "convert its series to NIfTI with dcm2niix"),
)


@dataclass(frozen=True)
class Payload:
    """The first bytes of a file after decompression, and whether it was gzip."""

    head: bytes
    compressed: bool
    file_bytes: int


def read_head(path: Path) -> Payload:
    """The first `HEADER_BYTES` of the file, decompressed where it is gzip by content.

    Raises `UnreadableFile` for a file that is absent, empty or broken gzip, and
    for what is no file: a pipe would be waited for without end.
    """
    try:
        if not S_ISREG(path.stat().st_mode):
            raise UnreadableFile(
                f"{path.name}: expected a file, got a folder, a pipe or a device; leave it out."
            )
        with path.open("rb") as stream:
            raw = stream.read(FIRST_READ)
            file_bytes = stream.seek(0, 2)
        if not raw.startswith(GZIP_MAGIC):
            return Payload(raw[:HEADER_BYTES], False, file_bytes)
        return Payload(_first_of_gzip(path, raw), True, file_bytes)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise UnreadableFile(
            f"{path.name}: expected a readable NIfTI file, got {reason_of(error)}; "
            "check or fetch the file again."
        ) from error


def _first_of_gzip(path: Path, raw: bytes) -> bytes:
    head = zlib.decompressobj(GZIP_WINDOW).decompress(raw, HEADER_BYTES)
    if len(head) == HEADER_BYTES:
        return head
    with gzip.open(path, "rb") as stream:  # a tiny first member, or a tiny file
        return stream.read(HEADER_BYTES)


def open_payload(path: Path, compressed: bool) -> BinaryIO:
    """A stream of the file's bytes, decompressed where `compressed`. The caller closes it."""
    return gzip.GzipFile(path) if compressed else path.open("rb")  # type: ignore[return-value]


def refuse_foreign(path: Path, head: bytes) -> None:
    """Raise `UnreadableFile` naming the format, where `head` is known not to be NIfTI."""
    if not head:
        raise UnreadableFile(
            f"{path.name}: expected a NIfTI image, got an empty file; fetch it again."
        )
    for signature in SIGNATURES:
        if head[signature.at :].startswith(signature.magic):
            raise UnreadableFile(
                f"{path.name}: expected a NIfTI image, got {signature.what}; {signature.remedy}."
            )


def reason_of(error: Exception) -> str:
    """A few words for an error of the file system or of the decompressor."""
    if isinstance(error, FileNotFoundError):
        return "nothing there"
    if isinstance(error, EOFError):
        return "a truncated gzip file"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return f"broken data ({error})"
