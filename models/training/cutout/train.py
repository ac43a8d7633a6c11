"""Train the network of `cutout`. Runs on a CPU (bf16) and unchanged on a GPU; resumable, as ../train.py."""
import argparse
import json
import math
import signal
import sys
import time
from pathlib import Path

import torch
import torch.nn.functional as F

sys.path.append(str(Path(__file__).parent.parent))
from evaluate import measure, normalised  # noqa: E402
from network import ENCODER, Cutout, InUse  # noqa: E402
from samples import Samples  # noqa: E402


def options():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    a.add_argument("--data", required=True, help="folder with ccp, clothing, ecssd, fluent, pascal-s")
    a.add_argument("--photographs", required=True)
    a.add_argument("--run", required=True, help="folder for checkpoint.pt, average.pt and log.txt")
    a.add_argument("--steps", type=int, required=True, help="length of the cosine; may be changed when resuming")
    a.add_argument("--init", help="weights to start from (an average.pt)")
    a.add_argument("--encoder", type=json.loads, default=ENCODER, help="channels and blocks of each stage, as JSON")
    a.add_argument("--sets", nargs="*", default=[], help="folders to measure, never to train on")
    a.add_argument("--batch", type=int, default=16)
    a.add_argument("--size", type=int, default=160)
    a.add_argument("--late-size", type=int, default=256, help="from --late on")
    a.add_argument("--late", type=float, default=0.65)
    a.add_argument("--rate", type=float, default=2e-3)
    a.add_argument("--decay", type=float, default=0.02)
    a.add_argument("--warm", type=int, default=200)
    a.add_argument("--average", type=float, default=0.998)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--threads", type=int, default=2)
    a.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    a.add_argument("--checkpoint-seconds", type=float, default=120)
    a.add_argument("--measure-every", type=int, default=1000)
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


class Training:
    """Model, average, optimiser and samples of one run, and their checkpoint."""

    def __init__(self, o):
        self.o, self.folder = o, Path(o.run)
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(o.seed)
        torch.set_num_threads(o.threads)
        self.model = Cutout(o.encoder)
        if o.init:
            self.model.load_state_dict(torch.load(o.init, map_location="cpu")["weights"])
        self.model.to(o.device).to(memory_format=torch.channels_last)
        self.mean = {k: v.clone() for k, v in self.model.state_dict().items()}
        weights = [p for p in self.model.parameters() if p.ndim > 1]
        others = [p for p in self.model.parameters() if p.ndim <= 1]
        self.adam = torch.optim.AdamW([{"params": weights, "weight_decay": o.decay}, {"params": others, "weight_decay": 0}],
                                      lr=o.rate)
        self.samples = Samples(o.data, o.photographs, o.seed)
        self.step = 0
        path = self.folder / "checkpoint.pt"
        if path.exists():
            self.resume(torch.load(path, map_location=o.device))

    def resume(self, saved):
        self.model.load_state_dict(saved["model"])
        self.mean, self.step = saved["mean"], saved["step"]
        self.adam.load_state_dict(saved["adam"])
        self.samples.random.bit_generator.state = saved["random"]
        self.samples.order = saved["order"]
        torch.set_rng_state(saved["torch_random"].cpu())
        self.say(f"resumed at step {self.step}")

    def checkpoint(self):
        for content, name in (
                ({"model": self.model.state_dict(), "mean": self.mean, "step": self.step,
                  "adam": self.adam.state_dict(), "random": self.samples.random.bit_generator.state,
                  "order": self.samples.order, "torch_random": torch.get_rng_state()}, "checkpoint.pt"),
                ({"shape": self.model.shape, "step": self.step, "weights": self.mean}, "average.pt")):
            part = self.folder / (name + ".part")
            torch.save(content, part)
            part.replace(self.folder / name)

    def rate(self):
        o = self.o
        cosine = 0.5 + 0.5 * math.cos(math.pi * min(self.step / o.steps, 1))
        return o.rate * min(1, (self.step + 1) / o.warm) * (0.005 + 0.995 * cosine)

    def advance(self):
        """One step; returns its loss."""
        o = self.o
        for group in self.adam.param_groups:
            group["lr"] = self.rate()
        pictures, masks = self.samples.batch(o.batch, o.late_size if self.step >= o.late * o.steps else o.size)
        truth = torch.from_numpy(masks).to(o.device).float().div_(255)[:, None]
        self.model.train()
        with torch.autocast(torch.device(o.device).type, torch.bfloat16):
            found = self.model(normalised(pictures).to(o.device))
        loss = 0
        for level, logits in enumerate(found):
            logits = logits.float()
            if level == 0:
                logits = F.interpolate(logits, scale_factor=2, mode="bilinear", align_corners=False)
                loss = loss_of(logits, truth, True)
            elif level != 1:
                loss = loss + 0.3 * loss_of(logits, F.adaptive_avg_pool2d(truth, logits.shape[2:]), False)
        self.adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5)
        self.adam.step()
        self.step += 1
        self.follow()
        return loss.detach()

    @torch.no_grad()
    def follow(self):
        keep = min(self.o.average, self.step / (self.step + 10))
        for name, value in self.model.state_dict().items():
            if value.dtype.is_floating_point:
                self.mean[name].mul_(keep).add_(value, alpha=1 - keep)

    def measure(self):
        network = Cutout(**self.model.shape)
        network.load_state_dict(self.mean)
        for folder in self.o.sets:
            f, error = measure(InUse(network, (self.o.late_size,)).eval(), folder, self.o.late_size)
            self.say(f"step {self.step} {Path(folder).name} max F {f:.3f} MAE {error:.3f}")

    def say(self, line):
        line = f"{time.strftime('%H:%M:%S')} {line}"
        print(line, flush=True)
        with open(self.folder / "log.txt", "a") as log:
            log.write(line + "\n")


def train(o):
    training = Training(o)
    training.say(json.dumps(vars(o)))
    ending = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    total, since, saved = 0.0, time.monotonic(), time.monotonic()
    while training.step < o.steps and not ending:
        total += float(training.advance())
        if training.step % 100 == 0:
            speed = 100 / (time.monotonic() - since)
            training.say(f"step {training.step} loss {total / 100:.4f} rate {training.rate():.2e} {speed:.2f} steps/s")
            total, since = 0.0, time.monotonic()
        if training.step % o.measure_every == 0:
            training.measure()
            since = time.monotonic()
        if time.monotonic() - saved > o.checkpoint_seconds:
            training.checkpoint()
            saved = time.monotonic()
    training.checkpoint()
    training.measure()


if __name__ == "__main__":
    train(options())
