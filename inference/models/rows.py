"""Every model that is known by name, one row each. `table.py` makes rows for other names."""

from __future__ import annotations

from pathlib import Path

from inference.models.entries import ModelEntry
from inference.models.folders import ORIGINAL_LLAVA
from inference.models.protocol import GenerationSettings
from inference.pictures import PictureSettings
from inference.prompts import PromptStyle

ASSETS = Path(__file__).resolve().parents[2] / "assets"
HUB_CARD = "https://huggingface.co/{}"
DEFAULT_MODEL = "demo-gemma3-vlm"

DEMO_PICTURES = PictureSettings(crop="brain-200mm", size=112, volume_pictures=8)
"""What the embedded model was trained on; other pictures are strange to it."""

DEMO_STYLE = PromptStyle(option="{text} ({mark})", request="Reply in JSON.")
"""A letter behind its option can know what the option says: a small model finds letters much
sooner so. Short, because every token counts on two cores; it also knows the plain style."""

MEDGEMMA_PICTURES = PictureSettings(window_rule="min-max", size=896, volume_pictures=85)
"""Its card: min-max over the volume, 896×896, up to 85 axial slices."""

LINGSHU_PICTURES = PictureSettings(volume_pictures=32)
"""Takes pictures as they are; sides are rounded to 28 pixels by its processor."""

LLAVA_PICTURES = PictureSettings(size=336)
"""Its CLIP tower sees 336×336."""

MEDSIGLIP_PICTURES = PictureSettings(window_rule="min-max", size=448)
"""Its card: 448×448."""

MED3DVLM_PICTURES = PictureSettings(window_rule="min-max", size=256, volume_pictures=128)
"""128 axial slices of 256×256: divided by 255 and stacked they are its 0..1 volume."""

QWEN3_REPLIES = GenerationSettings(thinking=False)
"""Its options are scored without thinking; with it the card asks for a temperature of 0.6."""

LLAVA_MED_PORT = "chaoyinshe/llava-med-v1.5-mistral-7b-hf"

MISTRAL_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}[INST] {% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>\n{% else %}{{ part['text'] }}{% endif %}{% endfor %}"
    " [/INST]{% endfor %}"
)
"""LLaVA-Med 1.5 speaks Mistral's turns; a port may have been saved without saying so."""

ROWS = (
    ModelEntry(
        name=DEFAULT_MODEL,
        kind="chat-vlm",
        source=str(ASSETS / DEFAULT_MODEL),
        max_pictures=12,
        card="assets/demo-gemma3-vlm/README.md",
        note="Trained here on synthetic images only; a demonstration, not a medical model.",
        scores_words=True,
        dtype="float32",
        pictures=DEMO_PICTURES,
        style=DEMO_STYLE,
    ),
    ModelEntry(
        name="fake",
        kind="fake",
        source="A",
        max_pictures=1000,
        card="inference/models/fake.py",
        note="No network: always answers the first letter. fake:B always answers B.",
    ),
    ModelEntry(
        name="google/medgemma-1.5-4b-it",
        kind="chat-vlm",
        source="google/medgemma-1.5-4b-it",
        max_pictures=85,
        card=HUB_CARD.format("google/medgemma-1.5-4b-it"),
        note="Gated: accept the HAI-DEF terms on its card, then run `hf auth login`.",
        hub=True,
        gated=True,
        parameters=4.3e9,
        pictures=MEDGEMMA_PICTURES,
    ),
    ModelEntry(
        name="lingshu-medical-mllm/Lingshu-7B",
        kind="chat-vlm",
        source="lingshu-medical-mllm/Lingshu-7B",
        max_pictures=64,
        card=HUB_CARD.format("lingshu-medical-mllm/Lingshu-7B"),
        note="MIT licence; about 17 GB of memory in bfloat16.",
        hub=True,
        parameters=8.3e9,
        pictures=LINGSHU_PICTURES,
    ),
    ModelEntry(
        name="lingshu-medical-mllm/Lingshu-32B",
        kind="chat-vlm",
        source="lingshu-medical-mllm/Lingshu-32B",
        max_pictures=64,
        card=HUB_CARD.format("lingshu-medical-mllm/Lingshu-32B"),
        note="MIT licence; about 67 GB of memory in bfloat16.",
        hub=True,
        parameters=33.5e9,
        pictures=LINGSHU_PICTURES,
    ),
    ModelEntry(
        name="microsoft/llava-med-v1.5-mistral-7b",
        kind="chat-vlm",
        source="microsoft/llava-med-v1.5-mistral-7b",
        max_pictures=1,
        card=HUB_CARD.format("microsoft/llava-med-v1.5-mistral-7b"),
        note="For research. Ask its port instead.",
        hub=True,
        parameters=7.6e9,
        pictures=LLAVA_PICTURES,
        cannot=ORIGINAL_LLAVA,
        instead=f"python app.py --model {LLAVA_MED_PORT}",
    ),
    ModelEntry(
        name=LLAVA_MED_PORT,
        kind="chat-vlm",
        source=LLAVA_MED_PORT,
        max_pictures=1,
        card=HUB_CARD.format(LLAVA_MED_PORT),
        note="A port of LLaVA-Med 1.5 by others than its makers, for research. Any other port "
        "to LlavaForConditionalGeneration loads by its own id or folder.",
        hub=True,
        parameters=7.6e9,
        pictures=LLAVA_PICTURES,
        chat_template=MISTRAL_TEMPLATE,
    ),
    ModelEntry(
        name="Qwen/Qwen3-8B",
        kind="text-llm",
        source="Qwen/Qwen3-8B",
        max_pictures=0,
        card=HUB_CARD.format("Qwen/Qwen3-8B"),
        note="Sees no picture: what it gets right, the words alone give away. Apache-2.0.",
        hub=True,
        scores_words=True,
        generation=QWEN3_REPLIES,
        parameters=8.2e9,
    ),
    ModelEntry(
        name="google/medsiglip-448",
        kind="embedding",
        source="google/medsiglip-448",
        max_pictures=1,
        card=HUB_CARD.format("google/medsiglip-448"),
        note="Gated. Ranks the options as short statements beside one picture; writes nothing.",
        hub=True,
        gated=True,
        takes_text_only=False,
        parameters=0.9e9,
        pictures=MEDSIGLIP_PICTURES,
    ),
    ModelEntry(
        name="lion-ai/MedImageInsights",
        kind="embedding",
        source="lion-ai/MedImageInsights",
        max_pictures=1,
        card=HUB_CARD.format("lion-ai/MedImageInsights"),
        note="MIT licence; 480×480, text cut at 77 CLIP tokens.",
        hub=True,
        takes_text_only=False,
        parameters=0.6e9,
        pictures=PictureSettings(size=480),
        dtype="float32",
        packages=("MedImageInsights",),
        family="medimageinsight",
    ),
    ModelEntry(
        name="server:Med3DVLM",
        kind="volume-server",
        source="Med3DVLM",
        max_pictures=128,
        card="https://github.com/mirthAI/Med3DVLM",
        note="For research. Runs in its own environment behind inference/volume_shim.py, which "
        "gets the slices of `volume` as one array: divided by 255, its 128×256×256 input.",
        takes_text_only=False,
        only=("volume",),
        pictures=MED3DVLM_PICTURES,
        style=PromptStyle(caption_place="none"),
    ),
    ModelEntry(
        name="imported",
        kind="imported",
        source="",
        max_pictures=0,
        card="README.md",
        note="Answers that were made elsewhere and read from a file.",
        cannot="Imported answers are read from a file; there is no model to ask.",
    ),
)
