/** Drags rows over rows. It tells where they would go during the drag, and moves them on the drop. */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import {
  attachClosestEdge,
  extractClosestEdge,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge';
import type { Attachment } from 'svelte/attachments';
import type { Photo } from '../photo/photo.svelte.ts';
import { canMove } from './list-order.ts';

export type DropEdge = 'top' | 'bottom';

interface RowDrag {
  photo: Photo;
  /** Returns the rows that move when this row is dragged: all chosen ones, or this one alone. */
  dragged: () => readonly Photo[];
  /** Is called with the edge of this row at which the dragged rows would go. */
  onEdge: (edge: DropEdge | undefined) => void;
  onDrop: (photos: readonly Photo[], edge: DropEdge) => void;
}

const phaseOf = (data: Record<string | symbol, unknown>) => data.phase;

export function rowDrag({ photo, dragged, onEdge, onDrop }: RowDrag): Attachment<HTMLElement> {
  return (element) =>
    combine(
      draggable({
        element,
        canDrag: () => canMove(photo),
        getInitialData: () => ({ phase: photo.phase, photos: dragged() }),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => canMove(photo) && phaseOf(source.data) === photo.phase,
        getData: ({ input }) =>
          attachClosestEdge({}, { element, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self }) => onEdge(edgeOf(self.data)),
        onDragLeave: () => onEdge(undefined),
        onDrop: ({ self, source }) => {
          onEdge(undefined);
          const edge = edgeOf(self.data);
          if (edge !== undefined) onDrop(source.data.photos as readonly Photo[], edge);
        },
      }),
    );
}

function edgeOf(data: Record<string | symbol, unknown>): DropEdge | undefined {
  const edge = extractClosestEdge(data);
  return edge === 'top' || edge === 'bottom' ? edge : undefined;
}
