"""Train one network of `cutout`, as ../runs.py says."""
import json
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

sys.path.append(str(Path(__file__).resolve().parent.parent))
from evaluate import measure, normalised  # noqa: E402
from fed import Fed  # noqa: E402
from network import DECODER, SIZE, VARIANTS, Cutout, InUse  # noqa: E402
from runs import Run, run_options  # noqa: E402
from samples import Samples  # noqa: E402
from shipped import calibrate, content  # noqa: E402


def options():
    a = run_options(__doc__)
    a.set_defaults(late=0.6, rate=1.5e-3, average=0.997, measure_every=1000)
    a.add_argument("--photographs", required=True)
    a.add_argument("--variant", type=int, default=0, choices=VARIANTS, help="of EfficientNet-Lite, the encoder")
    a.add_argument("--decoder", type=json.loads, default=DECODER, help="channels of the decoder, coarsest first, as JSON")
    a.add_argument("--imagenet", help="the encoder's weights to begin from; --init has those of a whole network")
    a.add_argument("--encoder-gain", type=float, default=0.15, help="the encoder's rate, as a part of the decoder's")
    a.add_argument("--parts", type=json.loads, default={}, help="of sets, the part a round draws, where it is not the usual one, as JSON")
    a.add_argument("--size", type=int, default=224)
    a.add_argument("--late-size", type=int, default=SIZE, help="from --late on")
    a.add_argument("--late-batch", type=int, default=8, help="from --late on")
    a.add_argument("--decay", type=float, default=0.02)
    a.add_argument("--bf16", action="store_true", help="where the processor or card computes in it")
    return a.parse_args()


def mean7(x):
    """Means over 7x7 windows of [n, 1, h, w], zeros beyond the border; sums of shifted
    copies are several times as fast on a CPU as avg_pool2d."""
    height, width = x.shape[2:]
    wide = F.pad(x, (3, 3, 3, 3))
    rows = sum(wide[:, :, :, i : i + width] for i in range(7))
    return sum(rows[:, :, i : i + height] for i in range(7)) / 49


def similarity(mask, truth):
    """SSIM of each picture (Wang et al. 2004) over 7x7 means."""
    edge = mean7(torch.ones_like(mask[:1]))  # less than 1 where the window hangs over the border

    def mean(x):
        return mean7(x) / edge
    a, b = mean(mask), mean(truth)
    var_a, var_b, both = mean(mask * mask) - a * a, mean(truth * truth) - b * b, mean(mask * truth) - a * b
    return ((2 * a * b + 1e-4) * (2 * both + 9e-4) / ((a * a + b * b + 1e-4) * (var_a + var_b + 9e-4))).mean((1, 2, 3))


def loss_of(logits, truth, fine):
    """Cross entropy, soft intersection over union, and at full size structure and soft alpha."""
    mask = torch.sigmoid(logits)
    both, either = (mask * truth).sum((1, 2, 3)), (mask + truth - mask * truth).sum((1, 2, 3))
    held = truth.sum((1, 2, 3)) > 8  # the union says nothing of an empty picture
    loss = F.binary_cross_entropy_with_logits(logits, truth) + ((1 - (both + 1) / (either + 1)) * held).mean()
    if not fine:
        return loss
    soft = ((truth > 0.02) & (truth < 0.98)).float()
    alpha = ((mask - truth).abs() * soft).sum() / (soft.sum() + 64)
    return loss + 0.5 * (1 - similarity(mask, truth)).mean() + 0.3 * alpha


def optimiser(model, o, taken):
    """AdamW whose rate is less by `encoder_gain` for what begins as ImageNet's, whose names begin with `taken`; biases do not decay."""
    groups = []
    for gain, is_taken in ((o.encoder_gain, True), (1, False)):
        own = [p for name, p in model.named_parameters() if name.startswith(taken) == is_taken]
        for is_kernel, decay in ((True, o.decay), (False, 0)):
            groups.append({"params": [p for p in own if (p.ndim > 1) == is_kernel], "weight_decay": decay, "gain": gain})
    return torch.optim.AdamW(groups, lr=o.rate)


class Training(Run):
    """Pictures with masks; `--data` has the sets that samples.py names."""

    CLIP = 5

    def __init__(self, o):
        super().__init__(o)
        if o.init and Path(o.init).suffix == ".onnx" and self.step == 0:
            calibrate(self.model, normalised(self.samples.batch(o.batch, o.size)[0], o.device))
            self.mean = {name: value.clone() for name, value in self.model.state_dict().items()}

    def new_model(self):
        model = Cutout(self.o.variant, self.o.decoder)
        if self.o.imagenet:
            model.encoder.load_imagenet(torch.load(self.o.imagenet, map_location="cpu"))
        if self.o.init:
            model.load_state_dict(content(self.o.init)["weights"])
        return model.to(memory_format=torch.channels_last)

    def new_optimiser(self):
        return optimiser(self.model, self.o, "encoder.")

    def new_samples(self):
        o = self.o
        samples = Samples(o.data, o.photographs, o.seed, o.parts)
        return Fed(samples, o.seed, o.workers) if o.workers else samples

    def loss(self):
        o = self.o
        pictures, masks = self.samples.batch(*((o.late_batch, o.late_size) if self.is_late else (o.batch, o.size)))
        truth = torch.as_tensor(masks).to(o.device).float().div_(255)[:, None]
        self.model.train()
        with torch.autocast(torch.device(o.device).type, torch.bfloat16, enabled=o.bf16):
            finest, *coarser = self.model(normalised(pictures, o.device))
        found = F.interpolate(finest.float(), scale_factor=2, mode="bilinear", align_corners=False)
        loss = loss_of(found, truth, True)
        for logits in coarser:
            loss = loss + 0.3 * loss_of(logits.float(), F.adaptive_avg_pool2d(truth, logits.shape[2:]), False)
        return loss

    def measure(self):
        network = Cutout(**self.model.shape)
        network.load_state_dict(self.mean)
        for folder in self.o.sets:
            f, error = measure(InUse(network).eval().to(self.o.device), folder, self.o.late_size, self.o.device)
            self.say(f"step {self.step} {Path(folder).name} max F {f:.3f} MAE {error:.3f}")


if __name__ == "__main__":
    Training(options()).train()
