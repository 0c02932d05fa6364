"""The NIfTI header of a file, read without its voxels and without trust.

Anything odd but usable becomes a note, anything unusable an `UnreadableFile`,
before any memory is taken for voxels.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from nibabel.nifti1 import Nifti1Header
from nibabel.nifti2 import Nifti2Header

from viewer.arrays import Affine, spacing_of
from viewer.errors import UnreadableFile
from viewer.formats import read_head, refuse_foreign
from viewer.placement import placement
from viewer.storage import Storage, storage

CIFTI_INTENTS = range(3000, 3100)
HEADER_SIZES = {348: Nifti1Header, 540: Nifti2Header}
SINGLE_FILE_MAGIC = b"n+"
PAIR_MAGIC = b"ni"


@dataclass(frozen=True, eq=False)
class Header:
    """What a NIfTI file says of itself.

    `shape` is as stored without trailing singletons: (i, j, k) or (i, j, k, t).
    `affine` (4, 4) takes stored voxels to mm; `data_path` holds the voxels,
    gzip where `compressed`. `nifti` is nibabel's header, for the codes.
    """

    path: Path
    data_path: Path
    nifti: Any
    shape: tuple[int, ...]
    affine: Affine
    storage: Storage
    compressed: bool
    notes: tuple[str, ...]

    @property
    def spacing_mm(self) -> tuple[float, float, float]:
        """Voxel size along the stored axes in mm."""
        return spacing_of(self.affine)

    @property
    def frames(self) -> int:
        """How many volumes the file holds."""
        return prod(self.shape[3:])


def read_header(path: Path) -> Header:
    """Read and check the header of `path`; raises `UnreadableFile` with the reason."""
    payload = read_head(path)
    refuse_foreign(path, payload.head)
    nifti = _parse(path, payload.head)
    data_path = _data_path(path, nifti)
    if data_path != path:
        payload = read_head(data_path)
    shape, shape_notes = _shape(path, nifti)
    affine, place_notes = placement(path, nifti, shape)
    first_byte = nifti.single_vox_offset if data_path == path else 0
    stored = storage(path, nifti, shape, payload, first_byte)
    notes = (*shape_notes, *place_notes, *_name_notes(data_path, payload.compressed))
    return Header(path, data_path, nifti, shape, affine, stored, payload.compressed, notes)


def volume_shape(header: Header) -> tuple[int, int, int]:
    """(i, j, k) of a file that holds one volume; raises `UnreadableFile` for 4-D."""
    if header.frames != 1:
        raise UnreadableFile(
            f"{header.path.name}: 4-D file with {header.frames} volumes; expected one 3-D "
            "sequence; split the file and keep one volume."
        )
    i, j, k = header.shape[:3]
    return i, j, k


def _parse(path: Path, head: bytes) -> Any:
    for order in ("<", ">"):
        kind = HEADER_SIZES.get(int.from_bytes(head[:4], "little" if order == "<" else "big"))
        if kind is not None and len(head) >= kind.sizeof_hdr:
            return _with_qfac(kind(head[: kind.sizeof_hdr], endianness=order, check=False))
    raise UnreadableFile(
        f"{path.name}: expected a NIfTI header, got bytes of no known image format; "
        "check that the file is a NIfTI image and is complete."
    )


def _with_qfac(nifti: Any) -> Any:
    """The header with qfac (pixdim[0]) 1 where it is 0: so the NIfTI standard reads it."""
    if nifti["pixdim"][0] == 0:
        nifti["pixdim"][0] = 1
    return nifti


def _data_path(path: Path, nifti: Any) -> Path:
    """The file that holds the voxels: the same one, or the .img beside a .hdr."""
    magic = bytes(nifti["magic"].item())[:2]
    if magic == SINGLE_FILE_MAGIC:
        return path
    if path.suffix.lower() != ".hdr":
        raise UnreadableFile(
            f"{path.name}: expected a NIfTI image, got a header without its mark (n+1); "
            "convert the file to NIfTI."
        )
    names = [path.stem + end for end in (".img", ".img.gz")]
    found = next((path.with_name(n) for n in names if path.with_name(n).is_file()), None)
    if found is None:
        raise UnreadableFile(
            f"{path.name}: header without its voxels, expected {names[0]} beside it; "
            "put both files in one folder."
        )
    if magic != PAIR_MAGIC:
        raise UnreadableFile(
            f"{path.name}: expected NIfTI, got an Analyze 7.5 header, which does not say "
            "left from right; convert it to NIfTI."
        )
    return found


def _shape(path: Path, nifti: Any) -> tuple[tuple[int, ...], tuple[str, ...]]:
    rank = int(nifti["dim"][0])
    if not 1 <= rank <= 7 or (nifti["dim"][1 : rank + 1] < 1).any():
        raise UnreadableFile(
            f"{path.name}: expected a 3-D image, got a broken header with dimensions "
            f"{nifti['dim'].tolist()}; fetch the file again."
        )
    if int(nifti["intent_code"]) in CIFTI_INTENTS:
        raise UnreadableFile(
            f"{path.name}: expected a 3-D image, got a CIFTI file (surface or connectivity "
            "data, not an image); leave it out."
        )
    stored = tuple(int(size) for size in nifti["dim"][1 : rank + 1])
    if rank < 3:
        raise UnreadableFile(
            f"{path.name}: expected a 3-D image, got {rank}-D data of {stored}; leave it out."
        )
    shape = stored
    while len(shape) > 3 and shape[-1] == 1:
        shape = shape[:-1]
    note = f"stored as {rank}-D with one volume, read as 3-D"
    return shape, (note,) if len(shape) != rank and len(shape) == 3 else ()


def _name_notes(path: Path, compressed: bool) -> tuple[str, ...]:
    if compressed == (path.suffix.lower() == ".gz"):
        return ()
    found = "gzip" if compressed else "not gzip"
    return (f"the bytes are {found} although the name ends in {path.suffix}",)
