"""The batches of samples, drawn by processes beside the training: a GPU takes more than one can draw."""
import copy

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Drawn(IterableDataset):
    """Batches without an end. Each process shares what `samples` hold and draws by a seed of its own."""

    def __init__(self, samples, seed, *size):
        self.samples, self.seed, self.size = samples, seed, size

    def __iter__(self):
        own = copy.copy(self.samples)
        own.reseed((*self.seed, get_worker_info().id))
        while True:
            yield own.batch(*self.size)


class Fed:
    """`samples` (with batch(count, size) and reseed(seed)) drawn by so many processes.

    After `resume` they go on with other seeds, so an interrupted run repeats nothing, but is not the
    same to the bit as one that ran through.
    """

    def __init__(self, samples, seed, workers):
        self.samples, self.seed, self.workers = samples, seed, workers
        self.drawn, self.sources = 0, {}

    def state(self):
        return self.drawn

    def resume(self, state):
        self.drawn = state

    def batch(self, count, size):
        if (count, size) not in self.sources:
            self.sources = {(count, size): self.source(count, size)}
        self.drawn += 1
        return next(self.sources[count, size])

    def source(self, count, size):
        drawn = Drawn(self.samples, (self.seed, self.drawn), count, size)
        return iter(DataLoader(drawn, batch_size=None, num_workers=self.workers, prefetch_factor=4, collate_fn=as_drawn))


def as_drawn(batch):
    """A batch's arrays as tensors, which travel between processes without a copy."""
    return tuple(torch.as_tensor(part) for part in batch)
