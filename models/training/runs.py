"""What every training run here does. Runs on a CPU (bf16) and unchanged on a GPU.

Everything random comes from --seed; a checkpoint holds weights, their moving
average, the optimiser, the step and the random states, so an interrupted run
(SIGTERM, power) goes on where its last checkpoint was when it is started again.
It is kept in parts of PART_BYTES, because what carries files between machines
often takes small ones only.
"""
import argparse
import io
import json
import math
import os
import signal
import time
from pathlib import Path

import torch


PART_BYTES = 15_000_000


def run_options(about):
    """The options of every run; each kind of run sets its own defaults and adds the rest."""
    a = argparse.ArgumentParser(description=about, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    a.add_argument("--data", required=True)
    a.add_argument("--run", required=True, help="folder for checkpoint.pt, average.pt and log.txt")
    length = a.add_mutually_exclusive_group(required=True)
    length.add_argument("--steps", type=int, help="length of the cosine; may be changed when resuming")
    length.add_argument("--minutes", type=float, help="the same as time: as many steps as the machine does in it")
    a.add_argument("--init", help="weights to start from (an average.pt)")
    a.add_argument("--sets", nargs="*", default=[], help="folders to measure, never to train on")
    a.add_argument("--batch", type=int, default=16)
    a.add_argument("--late", type=float, help="part of the steps after which pictures grow")
    a.add_argument("--rate", type=float, help="peak learning rate")
    a.add_argument("--warm", type=int, default=200, help="steps of linear warm-up")
    a.add_argument("--average", type=float, help="decay of the moving average")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--threads", type=int, default=2)
    a.add_argument("--workers", type=int, default=0, help="processes that draw samples; 0: the training does")
    a.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    a.add_argument("--checkpoint-seconds", type=float, default=120)
    a.add_argument("--measure-every", type=int)
    a.add_argument("--stop-at", type=int, default=0, help="end at this step of the schedule, resumable")
    return a


def rate_at(step, done, o):
    """Linear warm-up over steps, then one cosine from `rate` to 1 % of it as `done` goes from 0 to 1."""
    cosine = 0.5 + 0.5 * math.cos(math.pi * min(done, 1))
    return o.rate * min(1, (step + 1) / o.warm) * (0.01 + 0.99 * cosine)


def save(content, path):
    """Whole or not at all, whenever the process ends."""
    part = path.with_suffix(".part")
    torch.save(content, part)
    os.replace(part, path)


def save_parts(content, folder, step):
    """Whole or not at all: parts first, then the list that names them; older ones go last."""
    stream = io.BytesIO()
    torch.save(content, stream)
    content = stream.getbuffer()
    names = []
    for i, at in enumerate(range(0, len(content), PART_BYTES)):
        names.append(f"checkpoint-{step}.{i}")
        (folder / names[-1]).write_bytes(content[at : at + PART_BYTES])
    part = folder / "checkpoint.part"
    part.write_text(json.dumps(names))
    os.replace(part, folder / "checkpoint.json")
    for old in folder.glob("checkpoint-*"):
        if old.name not in names:
            old.unlink()


def load_parts(folder, device):
    """What `save_parts` kept last, None where there is nothing."""
    listed = folder / "checkpoint.json"
    if not listed.exists():
        return None
    names = json.loads(listed.read_text())
    return torch.load(io.BytesIO(b"".join((folder / n).read_bytes() for n in names)), map_location=device)


class Run:
    """Model, average, optimiser and samples of one run, and their checkpoint.

    A kind of run makes its `new_model()`, `new_optimiser()` and `new_samples()` (with state() and
    resume(state)), gives the `loss()` of the next batch, and says what it can `measure()`.
    """

    CLIP = 1.0  # longest gradient

    def __init__(self, o):
        self.o, self.folder, self.step = o, Path(o.run), 0
        self.seconds, self.begun = 0.0, time.monotonic()  # trained before this start, and when it was
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(o.seed)
        torch.set_num_threads(o.threads)
        torch.backends.cudnn.benchmark = True  # sides repeat, so the fastest kernel is worth finding
        self.model = self.new_model().to(o.device)
        self.mean = {k: v.clone() for k, v in self.model.state_dict().items()}
        self.adam = self.new_optimiser()
        self.samples = self.new_samples()
        saved = load_parts(self.folder, o.device)
        if saved:
            self.resume(saved)

    def resume(self, saved):
        self.model.load_state_dict(saved["model"])
        self.mean, self.step, self.seconds = saved["mean"], saved["step"], saved["seconds"]
        self.adam.load_state_dict(saved["adam"])
        self.samples.resume(saved["samples"])
        torch.set_rng_state(saved["torch_random"].cpu())
        self.say(f"resumed at step {self.step}")

    def content(self):
        """What a checkpoint holds."""
        return {"model": self.model.state_dict(), "mean": self.mean, "step": self.step,
                "adam": self.adam.state_dict(), "samples": self.samples.state(),
                "torch_random": torch.get_rng_state(), "seconds": self.trained_seconds}

    def checkpoint(self):
        save_parts(self.content(), self.folder, self.step)
        save({"shape": self.model.shape, "step": self.step, "weights": self.mean},
             self.folder / "average.pt")

    @property
    def trained_seconds(self):
        return self.seconds + time.monotonic() - self.begun

    @property
    def done(self):
        """The share of the run that lies behind, 0 to 1: of its steps, or of its time."""
        o = self.o
        return self.step / o.steps if o.steps else self.trained_seconds / (60 * o.minutes)

    @property
    def is_late(self):
        return self.done >= self.o.late

    def advance(self):
        """One step; returns its loss."""
        for group in self.adam.param_groups:
            group["lr"] = rate_at(self.step, self.done, self.o) * group.get("gain", 1)
        loss = self.loss()
        self.adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.CLIP)
        self.adam.step()
        self.step += 1
        self.follow()
        return loss.detach()

    @torch.no_grad()
    def follow(self):
        """Move the average; early on it forgets faster, so it is never mostly the start."""
        keep = min(self.o.average, self.step / (self.step + 10))
        own = {k: v for k, v in self.model.state_dict().items() if v.dtype.is_floating_point}
        mean = [self.mean[k] for k in own]
        torch._foreach_mul_(mean, keep)
        torch._foreach_add_(mean, list(own.values()), alpha=1 - keep)

    def say(self, line):
        line = f"{time.strftime('%H:%M:%S')} {line}"
        print(line, flush=True)
        with open(self.folder / "log.txt", "a") as log:
            log.write(line + "\n")

    def train(self):
        """To the end of the cosine, to --stop-at or until SIGTERM."""
        o = self.o
        self.say(json.dumps(vars(o)))
        ending = []
        signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
        total, begun, since, saved = 0.0, self.step, time.monotonic(), time.monotonic()
        last = o.stop_at or math.inf
        while self.done < 1 and self.step < last and not ending:
            total = total + self.advance()  # on the device: asking for each step's would stop it
            if self.step % 100 == 0:
                count = self.step - begun
                speed = count / (time.monotonic() - since)
                self.say(f"step {self.step} loss {float(total) / count:.5f} rate {rate_at(self.step, self.done, o):.2e} {speed:.2f} steps/s")
                total, begun, since = 0.0, self.step, time.monotonic()
            if self.step % o.measure_every == 0:
                self.measure()
                since = time.monotonic()
            if time.monotonic() - saved > o.checkpoint_seconds:
                self.checkpoint()
                saved = time.monotonic()
        self.checkpoint()
        if not ending:
            self.measure()
