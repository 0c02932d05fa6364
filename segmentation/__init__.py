"""Tumor regions, label schemes, Swin-UNETR, masks and what is measured on them."""
