"""Images: what a machine starts from."""

from carrel.machines.images._walls import probe as check_build
from carrel.machines.images.build import build
from carrel.machines.images.cache import (
    RECIPES,
    Image,
    delete_image,
    image_names,
    list_images,
    resolve_image,
)
from carrel.machines.images.progress import Progress
from carrel.machines.images.recipe import ImageFile, Recipe

__all__ = [
    "RECIPES",
    "Image",
    "ImageFile",
    "Progress",
    "Recipe",
    "build",
    "check_build",
    "delete_image",
    "image_names",
    "list_images",
    "resolve_image",
]
