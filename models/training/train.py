"""Train one network of Enlarger. Runs on a CPU (bf16) and unchanged on a GPU.

Everything random comes from --seed; a checkpoint holds weights, their moving
average, the optimiser, the step and both random states, so an interrupted run
(SIGTERM, power) goes on where its last checkpoint was when it is started again.
"""
import argparse
import json
import math
import os
import signal
import time
from pathlib import Path

import numpy as np
import torch

from data import Patches
from evaluate import measure
from network import Enlarger, doubled, margin, run

LUMA = torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)
EDGE = 2  # LR pixels at a patch's border that the loss leaves out: they see zero padding


def options():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    a.add_argument("--data", required=True, help="folder that data.py wrote")
    a.add_argument("--run", required=True, help="folder for checkpoint.pt, average.pt and log.txt")
    a.add_argument("--scale", type=int, choices=(2, 4), required=True)
    a.add_argument("--steps", type=int, required=True, help="length of the cosine; may be changed when resuming")
    a.add_argument("--init", help="weights to start from (an average.pt, of any scale)")
    a.add_argument("--camera", action="store_true", help="blur, noise and JPEG in the LR patches (restore)")
    a.add_argument("--recolour", action="store_true", help="channels in any order, and negatives")
    a.add_argument("--sets", nargs="*", default=[], help="benchmark folders to measure, never to train on")
    a.add_argument("--channels", type=int, default=48)
    a.add_argument("--blocks", type=int, default=7)
    a.add_argument("--wide", type=int, default=96, help="channels of the folded expansion, 0 for none")
    a.add_argument("--towers", type=int, choices=(1, 2), default=1, help="2 with --init of 1: the second starts as the first turned")
    a.add_argument("--batch", type=int, default=16)
    a.add_argument("--patch", type=int, default=48, help="LR pixels")
    a.add_argument("--late-patch", type=int, default=64, help="LR pixels, from --late on")
    a.add_argument("--late", type=float, default=0.8, help="part of the steps after which patches grow and errors are squared")
    a.add_argument("--rate", type=float, default=1e-3, help="peak learning rate")
    a.add_argument("--warm", type=int, default=200, help="steps of linear warm-up")
    a.add_argument("--average", type=float, default=0.999, help="decay of the moving average")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--threads", type=int, default=2)
    a.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    a.add_argument("--checkpoint-seconds", type=float, default=120)
    a.add_argument("--measure-every", type=int, default=1500)
    a.add_argument("--stop-at", type=int, default=0, help="end at this step of the schedule, resumable")
    return a.parse_args()


def rate_at(step, o):
    """Linear warm-up, then one cosine from `rate` to 1 % of it at `steps`."""
    cosine = 0.5 + 0.5 * math.cos(math.pi * min(step / o.steps, 1))
    return o.rate * min(1, (step + 1) / o.warm) * (0.01 + 0.99 * cosine)


def charbonnier(error):
    """A smooth absolute value (1e-3 is a quarter of one 8-bit level)."""
    return (error * error + 1e-6).sqrt().mean()


def squared(error):
    """The square, scaled to be about as steep as `charbonnier` at the usual errors.

    Its best answer is the mean, not the median: no colour shift, and higher PSNR.
    """
    return 30 * (error * error).mean()


def loss_of(result, truth, cut, size_of=charbonnier):
    """Mean of the sizes of the channels' errors and of the luma's error."""
    error = (result - truth)[:, :, cut:-cut, cut:-cut]
    return 0.5 * size_of(error) + 0.5 * size_of((error * LUMA.to(error.device)).sum(1))


def to_tensor(batch, device):
    """uint8 [n, h, w, 3] to float32 [n, 3, h, w] of 0..1, channels last in memory."""
    tensor = torch.from_numpy(batch).to(device, non_blocking=True).permute(0, 3, 1, 2)
    return tensor.float().div_(255).contiguous(memory_format=torch.channels_last)


def load_matching(model, path):
    """Copy every weight of the same name and shape; tail and skip differ by scale."""
    content = torch.load(path, map_location="cpu")
    saved, own = content["weights"], model.state_dict()
    if model.shape["towers"] > content["shape"]["towers"]:
        saved = doubled(saved, content["shape"]["scale"])
    fitting = {k: v for k, v in saved.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict({**own, **fitting})
    print(f"{len(fitting)} of {len(own)} tensors taken from {path}")


def save(content, path):
    """Whole or not at all, whenever the process ends."""
    part = path.with_suffix(".part")
    torch.save(content, part)
    os.replace(part, path)


class Training:
    """Model, average, optimiser and patches of one run, and their checkpoint."""

    def __init__(self, o):
        self.o, self.folder = o, Path(o.run)
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(o.seed)
        torch.set_num_threads(o.threads)
        self.model = Enlarger(o.scale, o.channels, o.blocks, o.wide, o.towers)
        if o.init:
            load_matching(self.model, o.init)
        self.model.to(o.device)
        self.mean = {k: v.clone() for k, v in self.model.state_dict().items()}
        self.adam = torch.optim.Adam(self.model.parameters(), lr=o.rate, betas=(0.9, 0.99))
        self.patches = Patches(o.data, o.scale, o.seed, o.camera, o.recolour)
        self.step = 0
        self.resume()

    def resume(self):
        path = self.folder / "checkpoint.pt"
        if not path.exists():
            return
        saved = torch.load(path, map_location=self.o.device)
        self.model.load_state_dict(saved["model"])
        self.mean, self.step = saved["mean"], saved["step"]
        self.adam.load_state_dict(saved["adam"])
        self.patches.random.bit_generator.state = saved["random"]
        torch.set_rng_state(saved["torch_random"].cpu())
        self.say(f"resumed at step {self.step}")

    def checkpoint(self):
        save({"model": self.model.state_dict(), "mean": self.mean, "step": self.step,
              "adam": self.adam.state_dict(), "random": self.patches.random.bit_generator.state,
              "torch_random": torch.get_rng_state()}, self.folder / "checkpoint.pt")
        save({"shape": self.model.shape, "step": self.step, "weights": self.mean},
             self.folder / "average.pt")

    def advance(self):
        """One step; returns its loss."""
        o = self.o
        for group in self.adam.param_groups:
            group["lr"] = rate_at(self.step, o)
        late = self.step >= o.late * o.steps
        size = o.late_patch if late else o.patch
        low, high = (to_tensor(b, o.device) for b in self.patches.batch(o.batch, size))
        loss = loss_of(self.model(low, torch.bfloat16), high, EDGE * o.scale,
                       squared if late else charbonnier)
        self.adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
        self.adam.step()
        self.step += 1
        self.follow()
        return loss.detach()

    @torch.no_grad()
    def follow(self):
        """Move the average; early on it forgets faster, so it is never mostly the start."""
        keep = min(self.o.average, self.step / (self.step + 10))
        own = self.model.state_dict()
        torch._foreach_mul_(list(self.mean.values()), keep)
        torch._foreach_add_(list(self.mean.values()), list(own.values()), alpha=1 - keep)

    @torch.no_grad()
    def measure(self):
        o = self.o
        model = Enlarger(**self.model.shape)
        model.load_state_dict(self.mean)
        folded = model.to(o.device).fold()
        def apply(x):
            return run(folded, torch.from_numpy(x).to(o.device), o.scale).cpu().numpy()
        for folder in o.sets:
            for camera in {False, o.camera}:
                value, shift = measure(apply, folder, o.scale, margin(o.blocks), camera)
                kind = " camera" if camera else ""
                self.say(f"step {self.step} {Path(folder).name} x{o.scale}{kind} {value:.3f} dB, colour shift {shift:.3f}")

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
    total, begun, since, saved = 0.0, training.step, time.monotonic(), time.monotonic()
    last = min(o.steps, o.stop_at or o.steps)
    while training.step < last and not ending:
        total += float(training.advance())
        if training.step % 100 == 0:
            count = training.step - begun
            speed = count / (time.monotonic() - since)
            training.say(f"step {training.step} loss {total / count:.5f} rate {rate_at(training.step, o):.2e} {speed:.2f} steps/s")
            total, begun, since = 0.0, training.step, time.monotonic()
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
