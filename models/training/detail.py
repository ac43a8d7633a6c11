"""Train Detail: a network that enlarges as Natural does, and is taught by a judge to look like a photograph.

It starts as Natural (--init checkpoints/natural-x4.pt). Four things pull at each result, each with a
fixed share of the gradient, whatever its own size: the result reduced to its source's size must be the
source without damage; the features of a pretrained encoder must be those of the truth; a little
of the plain error; and a judge, trained beside it, must not tell result and truth apart (relativistic:
place by place the truth against the result, Jolicoeur-Martineau 2018; spectral normalisation, Miyato et
al. 2018). `mix.py` between Natural and the end gives any strength between.

The average and its measures are those of train.py.
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import spectral_norm

from teach import Features
from train import EDGE, Training, parser, to_tensor

SHARES = {"reduced": 1.0, "features": 1.0, "plain": 0.3}  # of the gradient; --judged is the judge's


def options():
    a = parser(__doc__)
    a.set_defaults(rate=1e-4, damage=True, towers=2, wide=0, patch=40, batch=8, late=1.0)
    a.add_argument("--judged", type=float, default=0.8, help="the judge's share of the gradient")
    a.add_argument("--judge-rate", type=float, default=2e-4)
    a.add_argument("--alone", type=int, default=100, help="steps in which the judge learns alone first")
    a.add_argument("--encoder", required=True, help="weights of EfficientNet-Lite0 (README.md)")
    return a.parse_args()


class Judge(nn.Module):
    """RGB [n, 3, h, w] to how real each place of a quarter of the size looks, from 30 pixels around it."""

    def __init__(self, channels=24):
        super().__init__()
        def layer(inputs, outputs, size, stride):
            return spectral_norm(nn.Conv2d(inputs, outputs, size, stride, padding=1))
        c = channels
        self.layers = nn.ModuleList([
            layer(3, c, 3, 1), layer(c, 2 * c, 4, 2), layer(2 * c, 4 * c, 4, 2), layer(4 * c, 4 * c, 3, 1)])
        self.answer = spectral_norm(nn.Conv2d(4 * c, 1, 3, padding=1))

    def forward(self, picture):
        x = 2 * picture - 1
        for layer in self.layers:
            x = F.leaky_relu(layer(x), 0.2)
        return self.answer(x)


def less(worse, better):
    """How far `worse` is from being as real as `better`, place by place."""
    return F.softplus(better.float() - worse.float()).mean()


class Detailed(Training):
    def __init__(self, o):
        torch.manual_seed(o.seed)
        self.judge = Judge().to(o.device)
        self.features = Features(o.encoder).to(o.device)
        self.judge_adam = torch.optim.Adam(self.judge.parameters(), lr=o.judge_rate, betas=(0.5, 0.99))
        self.told = {}
        super().__init__(o)

    def resume(self, saved):
        super().resume(saved)
        self.judge.load_state_dict(saved["judge"])
        self.judge_adam.load_state_dict(saved["judge_adam"])

    def content(self):
        return {**super().content(), "judge": self.judge.state_dict(), "judge_adam": self.judge_adam.state_dict()}

    def losses(self, result, truth):
        """What pulls at a result, by name; the judge's last."""
        o, scale = self.o, self.o.scale
        top, left = torch.randint(0, 8, (2,)).tolist()  # features have a grid of their own: it moves about
        seen = [self.features(x[:, :, top:, left:]) for x in (result, truth)]
        with torch.autocast(torch.device(o.device).type, torch.bfloat16):
            judged, real = self.judge(result), self.judge(truth)
        return {
            "reduced": F.l1_loss(F.avg_pool2d(result, scale), F.avg_pool2d(truth, scale)),
            "features": sum(F.l1_loss(a, b) for a, b in zip(*seen)),
            "plain": F.l1_loss(result, truth),
            "judged": less(judged, real.detach()),
        }

    def teach_judge(self, result, truth):
        """One step of the judge, on the same patches."""
        with torch.autocast(torch.device(self.o.device).type, torch.bfloat16):
            loss = less(self.judge(truth), self.judge(result))
        self.judge_adam.zero_grad(set_to_none=True)
        loss.backward()
        self.judge_adam.step()
        return float(loss)

    def loss(self):
        """A loss whose gradient is what all of them make together; its value is the sum of theirs."""
        o = self.o
        low, high, conditions = self.samples.batch(o.batch, o.patch)
        low, high = to_tensor(low, o.device), to_tensor(high, o.device)
        full = self.model(low, torch.bfloat16, torch.as_tensor(conditions).to(o.device))
        cut = EDGE * o.scale
        whole, truth = (x[:, :, cut:-cut, cut:-cut] for x in (full, high))
        result = whole.detach().requires_grad_()
        found = self.losses(result, truth)
        shares = {**SHARES, "judged": o.judged}
        pull = torch.zeros_like(result)
        for name, loss in found.items():
            gradient, = torch.autograd.grad(loss, result)
            pull += shares[name] * gradient / (gradient.norm() + 1e-12)
        taught = self.teach_judge(result.detach(), truth)
        if self.step < o.alone:
            pull.zero_()
        self.tell({**{k: float(v) for k, v in found.items()}, "judge": taught})
        surrogate = (whole * pull).sum()
        return surrogate - surrogate.detach() + sum(float(v) for v in found.values())

    def tell(self, values):
        """Each part's mean over a hundred steps."""
        for name, value in values.items():
            self.told[name] = self.told.get(name, 0) + value / 100
        if self.step % 100 == 99:
            self.say(", ".join(f"{name} {value:.4f}" for name, value in self.told.items()))
            self.told = {}


if __name__ == "__main__":
    Detailed(options()).train()
