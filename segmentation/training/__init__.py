"""How the embedded Swin-UNETR is trained: cases, lesions, augmentation, loop, evaluation."""
