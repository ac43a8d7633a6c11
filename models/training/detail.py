"""Train Detail: a network that enlarges as Natural does, and is taught by a judge to look like a photograph.

It starts as Natural (--init checkpoints/natural-x4.pt), and patches are made on the GPU (on_device.py). Four things
pull at each result, each with a fixed share of the gradient, whatever its own size: the result reduced to its source's
size must be the source without damage; the features of a pretrained encoder must be those of the truth; a little of the
plain error; and a judge, trained beside it, must not tell result and truth apart (relativistic: place by place the truth
against the result, Jolicoeur-Martineau 2018; spectral normalisation, Miyato et al. 2018). The judge sees the source
beside them, so it also sees what was invented. `mix.py` between Natural and the end gives any strength between.

The average and its measures are those of train.py.
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import spectral_norm

from on_device import resized
from runs import save
from teach import DeviceTraining, Features
from train import EDGE, parser

SHARES = {"reduced": 0.7, "features": 1.0, "plain": 0.3}  # of the gradient; --judged is the judge's, --finer that of `finer`
ENCODER_LEVELS = 4  # features at 1/2 to 1/16 of the size
GRID = 16  # pixels: features have a grid of their own, of which the corner moves about


def options():
    a = parser(__doc__)
    a.set_defaults(rate=2e-4, damage=True, towers=2, patch=48, late_patch=64, batch=32, late=0.7)
    a.add_argument("--judged", type=float, default=0.8, help="the judge's share of the gradient")
    a.add_argument("--finer", type=float, default=0.4, help="the share of what is finer than anything near it in the truth")
    a.add_argument("--judge-rate", type=float, default=2e-4)
    a.add_argument("--alone", type=int, default=150, help="steps in which the judge learns alone first")
    a.add_argument("--keep-every", type=float, default=0, help="seconds after which the average so far is kept under its step")
    a.add_argument("--encoder", required=True, help="weights of EfficientNet-Lite0 (README.md)")
    return a.parse_args()


class Judge(nn.Module):
    """RGB [n, 3, h, w] and its source, enlarged, to how real each place looks: at 1/4 of the size from 30 pixels
    around it, at 1/8 from 94."""

    def __init__(self, channels=64):
        super().__init__()
        def layer(inputs, outputs, size, stride):
            return spectral_norm(nn.Conv2d(inputs, outputs, size, stride, padding=1))
        c = channels
        self.near = nn.ModuleList([layer(6, c, 3, 1), layer(c, 2 * c, 4, 2), layer(2 * c, 4 * c, 4, 2), layer(4 * c, 4 * c, 3, 1)])
        self.far = nn.ModuleList([layer(4 * c, 4 * c, 4, 2), layer(4 * c, 4 * c, 3, 1)])
        self.near_answer, self.far_answer = (spectral_norm(nn.Conv2d(4 * c, 1, 3, padding=1)) for _ in range(2))

    def forward(self, picture, source):
        x = 2 * torch.cat((picture, source), 1) - 1
        answers = []
        for layers, answer in ((self.near, self.near_answer), (self.far, self.far_answer)):
            for layer in layers:
                x = F.leaky_relu(layer(x), 0.2)
            answers.append(answer(x).float())
        return answers


def less(worse, better):
    """How far `worse` is from being as real as `better`, place by place."""
    return sum(F.softplus(b - w).mean() for w, b in zip(worse, better)) / len(worse)


def finest(picture):
    """[n, 3, h, w] of [n, 3, h + 2, w + 2]: how much goes up and down from pixel to pixel, along rows and along columns."""
    across = picture[:, :, 1:-1].diff(dim=3).diff(dim=3).abs()
    down = picture[:, :, :, 1:-1].diff(dim=2).diff(dim=2).abs()
    return across + down


def finer(result, truth):
    """What a result has of it beyond the most that the truth has within two pixels: dots along edges."""
    return F.relu(F.avg_pool2d(finest(result), 3, 1, 1) - F.max_pool2d(F.avg_pool2d(finest(truth), 3, 1, 1), 5, 1, 2)).mean()


class Detailed(DeviceTraining):
    def __init__(self, o):
        torch.manual_seed(o.seed)
        self.judge = Judge().to(o.device).to(memory_format=torch.channels_last)
        self.features = Features(o.encoder, ENCODER_LEVELS).to(o.device).to(memory_format=torch.channels_last)
        self.judge_adam = torch.optim.Adam(self.judge.parameters(), lr=o.judge_rate, betas=(0.5, 0.99))
        self.told, self.kept = {}, 0.0
        super().__init__(o)

    def resume(self, saved):
        super().resume(saved)
        self.judge.load_state_dict(saved["judge"])
        self.judge_adam.load_state_dict(saved["judge_adam"])

    def content(self):
        return {**super().content(), "judge": self.judge.state_dict(), "judge_adam": self.judge_adam.state_dict()}

    @property
    def half(self):
        return torch.autocast(torch.device(self.o.device).type, torch.bfloat16, enabled=self.o.device != "cpu")

    def losses(self, result, truth, source):
        """What pulls at a result, by name; the judge's last. And what the judge says of the truth."""
        scale = self.o.scale
        top, left = torch.randint(0, GRID, (2,)).tolist()
        side = (result.shape[2] - GRID) // GRID * GRID
        with self.half:
            seen, wanted = (self.features(x[:, :, top : top + side, left : left + side]) for x in (result, truth))
            judged = self.judge(result, source)
            with torch.no_grad():
                real = self.judge(truth, source)
        return {
            "reduced": F.l1_loss(F.avg_pool2d(result, scale), F.avg_pool2d(truth, scale)),
            "features": sum(F.l1_loss(a.float(), b.float()) / (b.float().abs().mean() + 1e-3) for a, b in zip(seen, wanted)) / len(seen),
            "plain": F.l1_loss(result, truth),
            "finer": finer(result, truth),
            "judged": less(judged, real),
        }

    def teach_judge(self, result, truth, source):
        """One step of the judge, on the same patches."""
        with self.half:
            loss = less(self.judge(truth, source), self.judge(result, source))
        self.judge_adam.zero_grad(set_to_none=True)
        loss.backward()
        self.judge_adam.step()
        return loss.detach()

    def loss(self):
        """A loss whose gradient is what all of them make together; its value is the sum of theirs."""
        o = self.o
        low, high, conditions, clean = self.samples.batch(o.batch, o.late_patch if self.is_late else o.patch)
        full = self.model(low, torch.bfloat16, conditions)
        cut = EDGE * o.scale
        source = resized(clean, *high.shape[2:])
        whole, truth, source = (x[:, :, cut:-cut, cut:-cut].contiguous(memory_format=torch.channels_last) for x in (full, high, source))
        result = whole.detach().requires_grad_()
        found = self.losses(result, truth, source)
        shares = {**SHARES, "judged": o.judged, "finer": o.finer}
        pull = torch.zeros_like(result)
        for name, loss in found.items():
            gradient, = torch.autograd.grad(loss, result, retain_graph=True)
            pull += shares[name] * gradient / (gradient.norm() + 1e-12)
        found = {name: loss.detach() for name, loss in found.items()}
        taught = self.teach_judge(result.detach(), truth, source)
        if self.step < o.alone:
            pull.zero_()
        self.tell({**found, "judge": taught})
        surrogate = (whole * pull).sum()
        return surrogate - surrogate.detach() + sum(found.values())

    def advance(self):
        loss = super().advance()
        if self.o.keep_every and self.trained_seconds - self.kept > self.o.keep_every:
            self.kept = self.trained_seconds
            save({"shape": self.model.shape, "step": self.step, "weights": self.mean}, self.folder / f"average-{self.step}.pt")
        return loss

    def tell(self, values):
        """Each part's mean over a hundred steps."""
        for name, value in values.items():
            self.told[name] = self.told.get(name, 0) + value / 100
        if self.step % 100 == 99:
            self.say(", ".join(f"{name} {float(value):.4f}" for name, value in self.told.items()))
            self.told = {}


if __name__ == "__main__":
    Detailed(options()).train()
