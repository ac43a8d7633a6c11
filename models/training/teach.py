"""Train Natural or Detail by distillation, with patches made on the GPU (on_device.py).

Natural: the loss of train.py's late steps, plus the error to the mean result of the `--teachers` on patches
that are clean and sharp, which is all that these teachers were trained for. Detail (--detail): the error to
one teacher's result for the same damaged patch, with its low frequencies replaced by the photograph's, in
pixels and in the first features of a pretrained encoder, plus the error of the result reduced to the
source's size.
"""
import torch
import torch.nn.functional as F

from cutout.network import DEVIATION, MEAN, Encoder
from on_device import DevicePatches, resized
from teachers import Teacher
from runs import rate_at
from train import EDGE, Training, charbonnier, decibels, loss_of, parser

ENCODER_LEVELS = 3  # features at 1/2, 1/4 and 1/8 of the size


def options():
    a = parser(__doc__)
    a.set_defaults(damage=True, towers=2, late=0.5)
    a.add_argument("--teachers", nargs="*", default=[], help="files of teachers.py, of the same scale")
    a.add_argument("--taught", type=float, default=0.5, help="weight of the teachers' error at the start; falls to 0 at the end")
    a.add_argument("--captured", action="store_true", help="Natural without teachers, each step a CUDA graph")
    a.add_argument("--detail", action="store_true")
    a.add_argument("--encoder", help="weights of EfficientNet-Lite0 (README.md), for --detail")
    a.add_argument("--features", type=float, default=0.06, help="weight of the encoder's features in --detail")
    return a.parse_args()


class DeviceTraining(Training):
    """A training on patches that are made on the GPU."""

    def new_model(self):
        return super().new_model().to(memory_format=torch.channels_last)

    def new_samples(self):
        return DevicePatches(self.o.data, self.o.scale, self.o.seed, self.o.device, threads=self.o.threads)


class DistilledTraining(DeviceTraining):
    def __init__(self, o):
        torch.backends.cudnn.allow_tf32 = True
        self.teachers = [Teacher(path).to(o.device).to(memory_format=torch.channels_last) for path in o.teachers]
        super().__init__(o)

    def teachers_result(self, clean):
        """The mean of the teachers' results for the patches and for their turned copies. TF32, since bf16 is off by 1 level."""
        found = [teacher(clean) for teacher in self.teachers]
        found += [teacher(clean.flip(3).transpose(2, 3)).transpose(2, 3).flip(3) for teacher in self.teachers]
        return sum(found) / len(found)

    def loss(self):
        o = self.o
        low, high, conditions, _ = self.samples.batch(o.batch, o.late_patch if self.is_late else o.patch)
        result = self.model(low, torch.bfloat16, conditions)
        loss = loss_of(result, high, EDGE * o.scale, decibels)
        if self.teachers and len(self.samples.pristine):
            at = self.samples.put(self.samples.pristine)
            weight = o.taught * (1 - self.done) * len(self.samples.pristine) / o.batch
            loss = loss + weight * loss_of(result[at], self.teachers_result(low[at]), EDGE * o.scale, charbonnier)
        return loss

    def measure(self):
        torch.backends.cudnn.benchmark = False
        super().measure()
        torch.backends.cudnn.benchmark = True


class CapturedTraining(DeviceTraining):
    """Natural without teachers, each step a CUDA graph: launching its many small kernels one by one takes several times as long.

    Patches of all sizes are alike from the start, and several batches are drawn at once, for the same reason.
    """

    GROUP = 8  # batches that are drawn at once
    FOLLOWED = 4  # steps between two moves of the average

    def __init__(self, o):
        self.graph, self.drawn = None, []
        super().__init__(o)

    def new_optimiser(self):
        adam = super().new_optimiser()
        if self.o.device == "cpu":
            return adam
        groups = [
            {"params": group["params"], "gain": group.get("gain", 1), "lr": torch.tensor(self.o.rate, device=self.o.device)}
            for group in adam.param_groups
        ]
        return torch.optim.Adam(groups, betas=(0.9, 0.99), capturable=True, fused=True)

    def next_batch(self):
        """Small and large patches and conditions."""
        if not self.drawn:
            o = self.o
            many = self.samples.batch(o.batch * self.GROUP, o.patch)[:3]
            self.drawn = list(zip(*(part.split(o.batch) for part in many)))
        return self.drawn.pop()

    def step_on(self, low, high, conditions):
        loss = loss_of(self.model(low, torch.bfloat16, conditions), high, EDGE * self.o.scale, decibels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.CLIP)
        self.adam.step()
        return loss.detach()

    def capture(self, batch):
        self.held = [part.clone() for part in batch]
        beside = torch.cuda.Stream()
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(3):
                self.adam.zero_grad(set_to_none=True)
                self.step_on(*self.held)
        torch.cuda.current_stream().wait_stream(beside)
        self.graph = torch.cuda.CUDAGraph()
        self.adam.zero_grad(set_to_none=True)
        with torch.cuda.graph(self.graph):
            self.held_loss = self.step_on(*self.held)

    def advance(self):
        batch = self.next_batch()
        for group in self.adam.param_groups:
            rate = rate_at(self.step, self.done, self.o) * group.get("gain", 1)
            group["lr"] = group["lr"].fill_(rate) if torch.is_tensor(group["lr"]) else rate
        if self.o.device == "cpu":
            self.adam.zero_grad(set_to_none=True)
            loss = self.step_on(*batch)
        else:
            if not self.graph:
                self.capture(batch)
            for held, part in zip(self.held, batch):
                held.copy_(part)
            self.graph.replay()
            loss = self.held_loss.clone()
        self.step += 1
        if self.step % self.FOLLOWED == 0:
            self.follow()
        return loss


class Features(torch.nn.Module):
    """The stem of EfficientNet-Lite0 and its last features at 1/2, 1/4 and so on of the size, for RGB [n, 3, h, w] of 0..1."""

    def __init__(self, path, levels=ENCODER_LEVELS):
        super().__init__()
        self.encoder = Encoder(0)
        self.encoder.blocks = self.encoder.blocks[: self.encoder.ends[levels - 1] + 1]
        self.encoder.load_imagenet(torch.load(path, map_location="cpu"))
        self.requires_grad_(False).eval()
        for name, values in (("mean", MEAN), ("deviation", DEVIATION)):
            self.register_buffer(name, torch.tensor(values).view(1, 3, 1, 1))

    def forward(self, picture):
        x = self.encoder.stem((picture - self.mean) / self.deviation)
        found = [x]
        for i, block in enumerate(self.encoder.blocks):
            x = block(x)
            if i in self.encoder.ends:
                found.append(x)
        return found


class DetailTraining(DistilledTraining):
    def __init__(self, o):
        self.features = Features(o.encoder).to(o.device)
        super().__init__(o)

    def target(self, low, clean):
        """The teacher's result for `low`, moved by an enlarged difference so that, reduced, it is near `clean`."""
        scale, side = self.o.scale, low.shape[2]
        sharp = self.teachers[0](low)
        off = clean - resized(sharp, side, side)
        return sharp + resized(off, side * scale, side * scale)

    def loss(self):
        o = self.o
        low, high, conditions, clean = self.samples.batch(o.batch, o.late_patch if self.is_late else o.patch)
        full = self.model(low, torch.bfloat16, conditions)
        with torch.no_grad():
            target = self.target(low, clean).clamp(0, 1)
        cut = EDGE * o.scale
        reduced = (resized(full, *low.shape[2:]) - clean)[:, :, EDGE:-EDGE, EDGE:-EDGE]
        result, target = (x[:, :, cut:-cut, cut:-cut] for x in (full, target))
        top, left = self.samples.random.integers(0, 8, 2)  # strides of 8: without a moving corner the gradient by place differs from 0.75 to 1.41 of its mean
        side = (result.shape[2] - 8) // 8 * 8
        with torch.autocast(low.device.type, torch.bfloat16, enabled=low.is_cuda):  # on a CPU, depthwise bf16 takes minutes
            seen, wanted = (self.features(x[:, :, top : top + side, left : left + side]) for x in (result, target))
        apart = sum(F.l1_loss(a.float(), b.float()) / (b.float().abs().mean() + 1e-3) for a, b in zip(seen, wanted)) / len(seen)
        return charbonnier(result - target) + o.features * apart + charbonnier(reduced)


if __name__ == "__main__":
    o = options()
    kind = DetailTraining if o.detail else CapturedTraining if o.captured else DistilledTraining
    kind(o).train()
