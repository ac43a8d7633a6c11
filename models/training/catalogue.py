"""Write models/catalogue.json from the .onnx files that lie beside it.

Sizes and hashes come from the files, margins from the networks' depth.
"""
import hashlib
import json
from pathlib import Path

from dial import SHARE
from network import margin

MODELS = Path(__file__).resolve().parent.parent
SCALES = (1, 2, 4)
CONDITION = {"constant": "condition", "values": ["jpeg", "noise", "blur"]}  # what network.condition_terms takes
TOLD = ("natural", "detail")  # the models that take it
DIALLED = ("detail",)  # of these, files that hold Natural's weights as well (dial.py)
HALVED = (("detail", 2),)  # networks of twice the scale, reduced: their last layer sees one pixel more
BLOCKS = 7  # of every network here; the margin follows from it
SUFFIXES = {"fp32": "", "int8": ".int8"}
HALF = ("natural", "faithful", "detail")  # run in half precision, on devices that gain by it, from the float32 file's weights
COMMON = {"task": "upscale", "licence": "MIT", "author": "Enlarger",
          "trainedOn": "65 freely licensed photographs, listed with credits in the model card"}
ENTRIES = [
    {"id": "natural", "name": "Natural",
     "description": "For every photo: measures compression, noise and blur, and removes just as much; clean photos stay as they are.",
     "trainedOn": "492 freely licensed photographs, listed with credits in the model card"},
    {"id": "detail", "name": "Detail",
     "description": "Crisper edges, lettering and fur than Natural; less close to the original.",
     "trainedOn": "492 freely licensed photographs, listed with credits in the model card"},
    {"id": "faithful", "name": "Faithful",
     "description": "Enlarges clean photos and invents nothing: sharp edges, flat skies, true colours."},
    {"id": "restore", "name": "Restore",
     "description": "Removes slight blur, noise and JPEG traces while it enlarges; clean photos, grass, gravel and fur lose fine texture."},
]
REMOVER = {
    "id": "cutout", "name": "Cutout", "task": "remove-bg", "licence": "MIT", "author": "Enlarger",
    "trainedOn": "research data and freely licensed pictures, listed with their terms in the model card",
    "description": "Finds what stands out: people, animals, clothes, things. One subject or a few, in front of something else."}
# What applies to this network alone (MaskTuning in packages/contract/src/models/model.ts says what each is): tried on
# pictures that the network had not learnt from. Another network wants other ones.
TUNING = {"subjectCertainty": 0.7, "leastSubject": 0.001, "mostSubject": 0.995, "partCertainty": 0.7,
          "smallPart": 0.02, "smallHole": 0.003, "sureHole": 0.1, "smallSpeck": 0.0003, "sureSpeck": 0.9,
          "outsideBelow": 0.06, "insideAbove": 0.94, "edgeReachPx": 2, "contrast": 1.5, "beliefPx": 4,
          "thinBelief": 0.8, "edgeWeight": 0.001, "deepWeight": 0.1, "deepPower": 6, "apartDoubt": 0.3,
          "apartBorder": 0.4, "apartLikeness": 0.6666666666666666, "goodDoubt": 0.017, "goodShare": 0.9,
          "goodBorder": 0.1, "poorDoubt": 0.075}
MASK_PX = 320  # SIZE in cutout/network.py
CLICK_RADIUS = 0.0125  # RADIUS in cutout/clicks.py
CLICK_STRIDES = (2, 4)  # of the features that clicks.onnx takes, CLICK_FEATURES in cutout/export.py
MASK_MEAN, MASK_DEVIATION = 127 / 255, 128 / 255  # MEAN and DEVIATION there, of each colour


def variant(path, precision):
    content = path.read_bytes()
    return {"precision": precision, "file": path.name,
            "sha256": hashlib.sha256(content).hexdigest(), "sizeBytes": len(content)}


def network(model, scale):
    """The descriptor of one scale, or None without a float32 file."""
    paths = {p: MODELS / f"{model}-x{scale}{suffix}.onnx" for p, suffix in SUFFIXES.items()}
    if model in HALF:
        paths["fp16"] = paths["fp32"]
    if not paths["fp32"].exists():
        return None
    return {"scale": scale, "input": "input", "output": "output", "layout": "NCHW", "channels": "RGB",
            "range": [0, 1], "marginPx": margin(BLOCKS) + ((model, scale) in HALVED), "padding": "replicate", "multiple": 1,
            "minSizePx": 1, "tileExact": True,
            **({"condition": condition(model), "blurNetwork": blur_network()} if model in TOLD else {}),
            "variants": [variant(path, p) for p, path in paths.items() if path.exists()]}


def condition(model):
    return {**CONDITION, "values": CONDITION["values"] + [SHARE]} if model in DIALLED else CONDITION


def blur_network():
    """The descriptor of blur.onnx, as estimate.py writes it."""
    return {"patches": "patches", "compression": "told", "output": "damage", "variants": [variant(MODELS / "blur.onnx", "fp32")]}


def mask_network():
    """The descriptor of cutout.onnx, as cutout/export.py writes it."""
    return {"input": "input", "output": "output", "layout": "NCHW", "channels": "RGB",
            "size": {"kind": "fixed", "width": MASK_PX, "height": MASK_PX}, "fit": "stretch",
            "range": [0, 1], "mean": [MASK_MEAN] * 3, "deviation": [MASK_DEVIATION] * 3,
            "outputPlane": 0, "activation": "none", "matting": False, "tuning": TUNING,
            "clicks": click_network(), "variants": [variant(MODELS / "cutout.onnx", "fp32")]}


def click_network():
    """The descriptor of clicks.onnx, as cutout/export.py writes it."""
    return {"features": [f"features{stride}" for stride in CLICK_STRIDES], "hints": "hints", "output": "output",
            "hintWidth": MASK_PX // 2, "hintHeight": MASK_PX // 2, "clickRadius": CLICK_RADIUS,
            "variants": [variant(MODELS / "clicks.onnx", "fp32")]}


def catalogue():
    models = []
    for entry in ENTRIES:
        networks = [n for n in (network(entry["id"], s) for s in SCALES) if n]
        if networks:
            models.append({**COMMON, **entry, "card": f"{entry['id']}.md", "networks": networks})
    if (MODELS / "cutout.onnx").exists():
        models.append({**REMOVER, "card": "cutout.md", "networks": [mask_network()]})
    return {"models": models}


if __name__ == "__main__":
    text = json.dumps(catalogue(), indent=2, ensure_ascii=False)
    (MODELS / "catalogue.json").write_text(text + "\n")
