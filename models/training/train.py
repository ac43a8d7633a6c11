"""Train one network that enlarges, as runs.py says."""
from functools import cache
from pathlib import Path

import torch

from data import Patches
from damage import KINDS
from evaluate import measure
from fed import Fed
from network import Enlarger, doubled, margin, run, with_all_terms
from runs import Run, run_options

LUMA = torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)
SHIFT_GAIN = 7  # the few weights that carry the condition begin at zero and learn this much faster
EDGE = 2  # LR pixels at a patch's border that the loss leaves out: they see zero padding


def parser(about):
    """The options of a network that enlarges."""
    a = run_options(about)
    a.set_defaults(late=0.8, rate=1e-3, average=0.999, measure_every=1500)
    a.add_argument("--scale", type=int, choices=(1, 2, 4), required=True)
    a.add_argument("--camera", action="store_true", help="blur, noise and JPEG in the LR patches (restore)")
    a.add_argument("--damage", action="store_true", help="JPEG and noise in the LR patches, and a network that is told of them (natural)")
    a.add_argument("--recolour", action="store_true", help="channels in any order, and negatives")
    a.add_argument("--channels", type=int, default=48)
    a.add_argument("--blocks", type=int, default=7)
    a.add_argument("--wide", type=int, default=96, help="channels of the folded expansion, 0 for none")
    a.add_argument("--towers", type=int, choices=(1, 2), default=1, help="2 with --init of 1: the second starts as the first turned")
    a.add_argument("--patch", type=int, default=48, help="LR pixels")
    a.add_argument("--late-patch", type=int, default=64, help="LR pixels, from --late on, when errors are squared")
    return a


@cache
def luma_on(device):
    """LUMA on a device, copied there once: a CUDA graph may not copy from the host."""
    return LUMA.to(device)


def charbonnier(error):
    """A smooth absolute value (1e-3 is a quarter of one 8-bit level)."""
    return (error * error + 1e-6).sqrt().mean()


def squared(error):
    """The square, scaled to be about as steep as `charbonnier` at the usual errors.

    Its best answer is the mean, not the median: no colour shift, and higher PSNR.
    """
    return 30 * (error * error).mean()


LEAST_ERROR = 2e-5  # mean square below which a patch counts as done: 47 dB


def decibels(error):
    """Mean over the patches of the logarithm of each one's mean square, steep as `charbonnier` at the usual errors.

    That is what PSNR counts, and it gives a clean patch the same say as a damaged one, whose
    squares are a hundred times as large.
    """
    return 0.01 * (error * error).flatten(1).mean(1).add(LEAST_ERROR).log().mean()


def loss_of(result, truth, cut, size_of=charbonnier):
    """Mean of the sizes of the channels' errors and of the luma's error."""
    error = (result - truth)[:, :, cut:-cut, cut:-cut]
    return 0.5 * size_of(error) + 0.5 * size_of((error * luma_on(error.device)).sum(1))


def to_tensor(batch, device):
    """uint8 [n, h, w, 3], an array or a tensor, to float32 [n, 3, h, w] of 0..1, channels last in memory."""
    tensor = torch.as_tensor(batch).to(device, non_blocking=True).permute(0, 3, 1, 2)
    return tensor.float().div_(255).contiguous(memory_format=torch.channels_last)


def load_matching(model, path):
    """Copy every weight of the same name and shape; tail and skip differ by scale.

    Branches that a kept network has no longer (keep.py) begin at zero.
    """
    content = torch.load(path, map_location="cpu")
    saved = {name: weight.float() for name, weight in content["weights"].items()}
    saved = {name: with_all_terms(w) if name.endswith("shifts") else w for name, w in saved.items()}
    own = model.state_dict()
    if not content["shape"].get("wide"):
        own = {name: torch.zeros_like(w) if name.endswith("project") else w for name, w in own.items()}
    if model.shape["towers"] > content["shape"]["towers"]:
        saved = doubled(saved, content["shape"]["scale"])
    fitting = {k: v for k, v in saved.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict({**own, **fitting})
    print(f"{len(fitting)} of {len(own)} tensors taken from {path}")


class Training(Run):
    """Patches of photographs, small and large."""

    CLIP = 0.5

    def new_model(self):
        o = self.o
        model = Enlarger(o.scale, o.channels, o.blocks, o.wide, o.towers, o.damage)
        if o.init:
            load_matching(model, o.init)
        return model

    def new_optimiser(self):
        shifts = [p for name, p in self.model.named_parameters() if name.endswith("shifts")]
        others = [p for name, p in self.model.named_parameters() if not name.endswith("shifts")]
        groups = [{"params": others}] + ([{"params": shifts, "gain": SHIFT_GAIN}] if shifts else [])
        return torch.optim.Adam(groups, lr=self.o.rate, betas=(0.9, 0.99))

    def new_samples(self):
        o = self.o
        patches = Patches(o.data, o.scale, o.seed, o.camera, o.recolour, o.damage)
        return Fed(patches, o.seed, o.workers) if o.workers else patches

    def loss(self):
        o = self.o
        late = decibels if o.damage else squared
        size, size_of = (o.late_patch, late) if self.is_late else (o.patch, charbonnier)
        low, high, conditions = self.samples.batch(o.batch, size)
        low, high = to_tensor(low, o.device), to_tensor(high, o.device)
        condition = torch.as_tensor(conditions).to(o.device) if o.damage else None
        return loss_of(self.model(low, torch.bfloat16, condition), high, EDGE * o.scale, size_of)

    @torch.no_grad()
    def measure(self):
        o = self.o
        model = Enlarger(**self.model.shape)
        model.load_state_dict(self.mean)
        folded = model.to(o.device).fold()
        def apply(x, condition):
            shifts = model.shifts(torch.tensor([condition], device=o.device)) if o.damage else None
            return run(folded, torch.from_numpy(x).to(o.device), o.scale, shifts=shifts).cpu().numpy()
        kinds = ["clean"] + ["camera"] * o.camera + list(KINDS)[1:] * o.damage
        for folder in o.sets:
            found = [measure(apply, folder, o.scale, margin(o.blocks), kind) for kind in kinds]
            text = ", ".join(f"{kind} {value:.3f}" for kind, (value, _) in zip(kinds, found))
            self.say(f"step {self.step} {Path(folder).name} x{o.scale} dB: {text}; colour shift {found[0][1]:.3f}")


if __name__ == "__main__":
    Training(parser(__doc__).parse_args()).train()
