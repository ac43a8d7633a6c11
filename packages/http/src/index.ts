/** The package's only entry: others import nothing else. */

// A server, and how it listens and ends.
export { createServer, defaultLimits, type Api, type ApiLimits } from './server.ts';
export { closeApp, listen, portOf } from './listen.ts';
export { createErrorHandler, errorBodyOf, refusalOf, sendError } from './errors.ts';
export { answerMissing } from './missing.ts';
export { statusName } from './status-name.ts';
export { createRequestLog, logRoute, type RequestLogBuffer } from './request-log.ts';

// Who may call.
export { createGuard } from './access/guard.ts';
export { createKeyring, type Caller, type Keyring } from './access/keyring.ts';
export { assertMayGrant, callerOf, createAuthenticator } from './access/authenticate.ts';
export { createOpenRequests, type OpenRequests } from './access/open-requests.ts';
export { openCliKey } from './access/cli-key.ts';
export { challengeHeader, isChallenge, isProof, proofHeader, proofOf } from './access/proof.ts';

// Bodies that arrive.
export {
  bodyAccountOf,
  createBodyBudget,
  type BodyAccount,
  type BodyBudget,
} from './bodies/body-budget.ts';
export {
  asBrokenForm,
  rawBody,
  readJsonBodies,
  readWhole,
  takeRawBodies,
  withStagedImages,
} from './bodies/content-types.ts';
export type { PictureSink } from './bodies/json-body.ts';
export { createCheck } from './validation.ts';

// What is sent, and whether somebody still waits for it.
export { sendFile } from './file-answer.ts';
export { clientGone } from './client-gone.ts';
export { onResponseClosed } from './response-closed.ts';
export { createBroadcast, type Broadcast } from './streams/broadcast.ts';
export {
  createOpenStreams,
  eventText,
  type EventStream,
  type OpenStreams,
  type StreamEvent,
} from './streams/event-stream.ts';

// Schemas of routes, and the documentation that is made of them.
export { answers, IdParams, pictureAnswer, ref, streamAnswer } from './schemas.ts';
export { documentRoutes } from './documentation.ts';
export { packedPageFiles } from './packed-page.ts';
