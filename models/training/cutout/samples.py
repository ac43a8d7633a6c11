"""Training pictures with masks: read, varied, composed.

`DIR/<set>/image/*` and `mask/*.png` (255 = subject) for the sets of PAIRS, `DIR/fluent/*.webp` and
`DIR/fluent3d` with true alpha, and free photographs as backgrounds. Every draw comes from one random generator.
"""
import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance, ImageFilter

from surfaces import surface

# The sets with masks, and which part of each a round draws: less of what is staged, alike or coarsely outlined.
PAIRS = {
    "ccp": 0.7, "clothing": 0.5, "ecssd": 1, "pascal-s": 1, "oi-animals": 1, "caltech4": 0.5, "coco-free": 1,
    "coco-free-person": 0.6, "smallitems": 0.25, "cocoval-free": 1, "research-horses": 0.5,
    "research-davis": 1, "research-grabcut": 1,
}
SMALL = ("research-davis",)  # their subjects are small: only what is around them is kept
KEPT_PX = 400  # longest side of pictures with masks in memory
# Photographs in which nothing stands out: backgrounds, and pictures whose right mask is empty.
EMPTY = (
    "A-Moment-to-Breathe.jpg", "Ashim-DSilva.jpg", "Brown-Architecture.jpg", "CHUTTERSNAP-White-Clouds.jpg",
    "Carmine-De-Fazio.jpg", "Cheng-Feng.jpg", "Disco-Sea-Eye-Ferns.jpg", "Jonas-Nilsson-Lee.jpg",
    "Martian-Terrain.jpg", "Morskie-Oko.jpg", "Mountains-and-forest.jpg", "Northern-Lights.jpg", "Rob-Bye.jpg",
    "Ryan-Schroeder.jpg", "Snow-Capped-Mountain.jpg", "Suluh-Kalba.jpg", "Sunset-by-the-Pier.jpg",
    "Tomasz-Smal.jpg", "absolute-shrubbery.jpg", "ahmadreza-sajadi-10140-edit.jpg", "ice-mountains.jpg",
    "jad-limcaco-183877.jpg", "jared-evans-119758.jpg", "nasa-45068.jpg", "nasa-53884.jpg", "nasa-89127.jpg",
    "samuel-zeller-337041.jpg", "sean-afnan-244576.jpg", "tony-webster-97532.jpg",
    "victor-svistunov-233897-KB.jpg",
)
TRUE_ALPHA = 0.45  # part of the composed subjects that have it; the others are cut out along their masks
BACKGROUNDS_PX = 700  # longest side of the photographs kept in memory


def read_pairs(folder, name):
    """Yield (RGB, mask) of one set."""
    for path in sorted((Path(folder) / name / "image").iterdir()):
        picture = Image.open(path).convert("RGB")
        truth = Image.open(path.parent.parent / "mask" / (path.stem + ".png")).convert("L")
        if name != "clothing":  # grey is how many people saw a subject there, not how much of a pixel it covers
            truth = truth.point(lambda v: 255 if v > 127 else 0)
        box = subject_box(truth)
        if name in SMALL and box is not None:
            across, down = 0.6 * (box[2] - box[0]), 0.6 * (box[3] - box[1])
            around = (max(0, box[0] - across), max(0, box[1] - down),
                      min(picture.width, box[2] + across), min(picture.height, box[3] + down))
            picture, truth = (i.crop([round(v) for v in around]) for i in (picture, truth))
        picture.thumbnail((KEPT_PX, KEPT_PX))
        yield picture, truth.resize(picture.size, Image.BOX) if truth.size != picture.size else truth


def read_alphas(folder):
    """Yield subjects with true alpha, RGBA. Those of fluent3d lie over grey of 127, which is taken out again."""
    for path in sorted((Path(folder) / "fluent").glob("*.webp")):
        yield Image.open(path).convert("RGBA")
    for path in sorted((Path(folder) / "fluent3d" / "image").iterdir()):
        mask = Image.open(path.parent.parent / "mask" / (path.stem + ".png")).convert("L")
        alpha = np.asarray(mask, np.float32)[:, :, None] / 255
        over = np.asarray(Image.open(path).convert("RGB"), np.float32)
        own = np.clip((over - 127 * (1 - alpha)) / np.maximum(alpha, 0.05), 0, 255).astype(np.uint8)
        whole = Image.fromarray(own)
        whole.putalpha(mask)
        yield whole


def read_backgrounds(folder, names):
    for name in names:
        picture = Image.open(Path(folder) / name).convert("RGB")
        picture.thumbnail((BACKGROUNDS_PX, BACKGROUNDS_PX))
        yield picture


def subject_box(mask):
    """The box of what is more than half subject, or None."""
    return mask.point(lambda v: 255 if v > 127 else 0).getbbox()


class Samples:
    """Draws (picture, mask) of `size` x `size`. All of its randomness is in `random`."""

    def __init__(self, folder, photographs, seed, parts=None):
        self.random = np.random.default_rng(seed)
        drawn = {**PAIRS, **(parts or {})}
        sets = {name: list(read_pairs(folder, name)) for name in drawn}
        self.pairs = [pair for name in drawn for pair in sets[name]]
        self.parts = [part for name, part in drawn.items() for _ in sets[name]]
        self.alphas = [whole for whole in read_alphas(folder) if whole.getchannel("A").getbbox()]
        self.empty = list(read_backgrounds(photographs, EMPTY))
        self.order = []

    def state(self):
        return {"random": self.random.bit_generator.state, "order": self.order}

    def resume(self, state):
        self.random.bit_generator.state, self.order = state["random"], state["order"]

    def reseed(self, seed):
        self.random, self.order = np.random.default_rng(seed), []

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        return items[int(self.random.integers(len(items)))]

    def next_pair(self):
        """Every pair once in each round, of some sets a part only (see PAIRS), in a new order each time."""
        if not self.order:
            drawn = [i for i, part in enumerate(self.parts) if self.chance(part)]
            self.order = list(self.random.permutation(drawn))
        return self.pairs[int(self.order.pop())]

    def crop(self, picture, smallest):
        """A random box of `smallest`..1 of each side, aspect varied by up to a quarter."""
        part = self.random.uniform(smallest, 1)
        aspect = np.exp(self.random.uniform(-0.22, 0.22))
        width = min(1, part * aspect) * picture.width
        height = min(1, part / aspect) * picture.height
        left = self.random.uniform(0, picture.width - width)
        top = self.random.uniform(0, picture.height - height)
        return left, top, left + width, top + height

    def plain(self, size):
        """A photograph with its mask, cropped at random but never without most of its subject."""
        picture, mask = self.next_pair()
        box = (0, 0, picture.width, picture.height)
        close = subject_box(mask) if self.chance(0.15) else None
        if close is not None:
            box = self.around(close, box)
        elif self.chance(0.75):
            total = np.asarray(mask, np.float32).sum()
            for _ in range(4):
                tried = self.crop(picture, 0.55)
                kept = np.asarray(mask.crop([round(v) for v in tried]), np.float32).sum()
                if kept > 0.6 * total:
                    box = tried
                    break
        if self.chance(0.3):
            return self.turned(picture, mask, box, size)
        return tuple(i.resize((size, size), Image.BILINEAR, box) for i in (picture, mask))

    def turned(self, picture, mask, box, size):
        """The box, turned by up to 20 degrees and made smaller until it lies within the picture."""
        angle = np.radians(self.random.uniform(-20, 20))
        centre = np.array([box[0] + box[2], box[1] + box[3]]) / 2
        half = np.array([box[2] - box[0], box[3] - box[1]]) / 2
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        corners = np.array([(-1, -1), (-1, 1), (1, 1), (1, -1)]) * half @ turn.T
        reach = np.abs(corners).max(0)
        room = np.minimum(centre, np.array(picture.size) - centre)
        corners = centre + corners * min(1, *(room / reach))
        return tuple(i.transform((size, size), Image.QUAD, corners.ravel(), Image.BILINEAR) for i in (picture, mask))

    def relit(self, picture, mask):
        """Subject or surroundings in another light, or the surroundings drawn towards the subject's
        light, so that contrast alone does not tell them apart."""
        pixels = np.asarray(picture, np.float32)
        soft = np.asarray(mask.filter(ImageFilter.GaussianBlur(self.random.uniform(0.6, 2))), np.float32)[:, :, None] / 255
        inside = soft.sum()
        if inside < 64 or soft.size - inside < 64:
            return picture
        front, back = (pixels * soft).sum((0, 1)) / inside, (pixels * (1 - soft)).sum((0, 1)) / (soft.size - inside)
        if self.chance(0.6):
            other = pixels + self.random.uniform(0.2, 0.8) * (front - back)
        else:
            other = (pixels - back) * self.random.uniform(0.5, 1.4) + back * self.random.uniform(0.6, 1.4, 3)
            if self.chance(0.4):
                soft = 1 - soft
        return Image.fromarray(np.clip(pixels * soft + other * (1 - soft), 0, 255).astype(np.uint8))

    def around(self, close, whole):
        """A box that `close` nearly fills: up to a tenth of its sides cut off or added, each for itself."""
        across, down = ((close[i + 2] - close[i]) * self.random.uniform(-0.1, 0.1, 2) for i in range(2))
        return (max(whole[0], close[0] - across[0]), max(whole[1], close[1] - down[0]),
                min(whole[2], close[2] + across[1]), min(whole[3], close[3] + down[1]))

    def background(self, size):
        """A place without a subject: of a photograph, or beside the subject of a pair."""
        if self.chance(0.5):
            picture, mask = self.pick(self.pairs)
            for _ in range(6):
                box = self.crop(picture, 0.3)
                if np.asarray(mask.crop([round(v) for v in box])).mean() < 2:
                    return picture.resize((size, size), Image.BILINEAR, box)
        picture = self.pick(self.empty)
        return picture.resize((size, size), Image.BILINEAR, self.crop(picture, 0.35))

    def nothing(self, size):
        """A picture in which nothing stands out, photographed or painted, and an empty mask."""
        picture, nobody = self.pick(self.empty), Image.new("L", (size, size))
        if self.chance(0.6):
            return surface(self.random, size), nobody
        return picture.resize((size, size), Image.BILINEAR, self.crop(picture, 0.3)), nobody

    def placed(self, size, subject, alpha, share):
        """A subject (RGB and alpha, cut to its box) for a random place on `size` x `size`, of which its longest
        side is a random part around `share`, its aspect varied as by what squares a photograph: what of it lies
        in the frame, and the left upper corner of that."""
        longest = self.random.uniform(0.55, 1.45) * share * size
        factor = longest / max(subject.size)
        aspect = np.exp(self.random.uniform(-0.25, 0.25))
        extent = [max(8, int(side * factor * way)) for side, way in zip(subject.size, (aspect, 1 / aspect))]
        subject, alpha = (i.resize(extent, Image.BILINEAR) for i in (subject, alpha))
        if self.chance(0.3):
            angle = self.random.uniform(-20, 20)
            subject, alpha = (i.rotate(angle, Image.BILINEAR) for i in (subject, alpha))
        beyond = 0.4 if self.chance(0.2) else 0  # part of its sides that the frame may cut off
        left, top = (int(self.random.integers(-beyond * side, max(0, size - side) + beyond * side + 1)) for side in extent)
        x, y = max(0, left), max(0, top)
        box = (x - left, y - top, min(extent[0], size - left), min(extent[1], size - top))
        return subject.crop(box), alpha.crop(box), (x, y)

    def subject(self):
        """RGB and alpha of a subject: cut out along its mask, or one of true alpha."""
        if self.chance(TRUE_ALPHA):
            whole = self.pick(self.alphas)
            box = whole.getchannel("A").getbbox()
            whole = whole.crop(box)
            return whole.convert("RGB"), whole.getchannel("A")
        picture, mask = self.next_pair()
        box = subject_box(mask)
        if box is None or min(box[2] - box[0], box[3] - box[1]) < 16:
            return self.subject()
        soft = mask.filter(ImageFilter.GaussianBlur(0.7)).point(lambda v: max(0, min(255, (v - 96) * 2)))
        return picture.crop(box), soft.crop(box)

    def unfocused(self, under, size):
        """The background with up to three subjects in it, all out of focus: none of them is the subject."""
        for _ in range(int(self.random.integers(1, 4))):
            front, alpha, corner = self.placed(size, *self.subject(), 0.5)
            under.paste(front, corner, alpha)
        return under.filter(ImageFilter.GaussianBlur(self.random.uniform(0.008, 0.025) * size))

    def composed(self, size):
        """One subject or up to six on another background, light and sharpness matched."""
        under, visible = self.background(size), []
        if self.chance(0.1):
            under = self.unfocused(under, size)
        elif self.chance(0.3):
            under = under.filter(ImageFilter.GaussianBlur(self.random.uniform(0.5, 4)))
        picture = np.array(under, np.float32)
        count = 1 if self.chance(0.5) else int(self.random.integers(2, 7))
        for _ in range(count):
            front, alpha, (x, y) = self.placed(size, *self.subject(), 0.65 * count**-0.4)
            here = (slice(y, y + front.height), slice(x, x + front.width))
            front, weight = np.asarray(front, np.float32), np.asarray(alpha, np.float32)[:, :, None] / 255
            if self.chance(0.6) and weight.sum() > 64:
                own = (front * weight).sum((0, 1)) / weight.sum()
                front = np.clip(front * (0.75 + 0.25 * (picture.mean((0, 1)) + 20) / (own + 20)), 0, 255)
            picture[here] += (front - picture[here]) * weight
            for other in visible:
                other[here] *= 1 - weight[:, :, 0]
            visible.append(np.zeros((size, size), np.float32))
            visible[-1][here] = weight[:, :, 0]
        mask = np.clip(sum(visible[i] for i in self.wanted(count)), 0, 1)
        return Image.fromarray(picture.astype(np.uint8)), Image.fromarray((mask * 255).round().astype(np.uint8))

    def wanted(self, count):
        """Which of `count` composed subjects the mask holds."""
        return range(count)

    def mosaic(self, size):
        """Two photographs beside or above each other."""
        (a, a_mask), (b, b_mask) = self.plain(size), self.plain(size)
        cut = int(size * self.random.uniform(0.35, 0.65))
        box = (0, 0, cut, size) if self.chance(0.5) else (0, 0, size, cut)
        for under, over in ((a, b), (a_mask, b_mask)):
            under.paste(over.resize((box[2], box[3]), Image.BILINEAR), box)
        return a, a_mask

    def seen(self, picture):
        """Light, colour, sharpness, noise and JPEG as cameras vary them."""
        for enhance, spread in ((ImageEnhance.Brightness, 0.35), (ImageEnhance.Contrast, 0.3), (ImageEnhance.Color, 0.5)):
            if self.chance(0.5):
                picture = enhance(picture).enhance(1 + self.random.uniform(-spread, spread))
        if self.chance(0.08):
            picture = picture.convert("L").convert("RGB")
        if self.chance(0.12):
            picture = picture.filter(ImageFilter.GaussianBlur(self.random.uniform(0.3, 1.3)))
        if self.chance(0.15):
            stream = io.BytesIO()
            picture.save(stream, "JPEG", quality=int(self.random.integers(40, 90)))
            picture = Image.open(stream).convert("RGB")
        pixels = np.asarray(picture, np.float32)
        if self.chance(0.08):
            pixels = pixels[:, :, self.random.permutation(3)]
        if self.chance(0.3):
            pixels = pixels * self.random.uniform(0.88, 1.12, 3).astype(np.float32)
        if self.chance(0.2):
            pixels = pixels + self.random.standard_normal(pixels.shape) * self.random.uniform(1, 10)
        return np.clip(pixels, 0, 255).astype(np.uint8)

    def one(self, size):
        kind = self.random.random()
        draw = self.plain if kind < 0.62 else self.composed if kind < 0.88 else self.mosaic if kind < 0.91 else self.nothing
        picture, mask = draw(size)
        if draw == self.plain and self.chance(0.25):
            picture = self.relit(picture, mask)
        pixels, mask = self.seen(picture), np.asarray(mask)
        return (pixels[:, ::-1], mask[:, ::-1]) if self.chance(0.5) else (pixels, mask)

    def batch(self, count, size):
        """uint8 [count, size, size, 3] and [count, size, size]."""
        pictures, masks = zip(*(self.one(size) for _ in range(count)))
        return np.stack(pictures), np.stack(masks)
