/** Assigns request paths to the roles of the gateway, for a process that runs several roles. */
import { isDocumentPath } from './edge/response/headers.js'

const STREAMING = '/api/v1/streaming'
export const isStreamingPath = (path: string): boolean => path === STREAMING || path.startsWith(`${STREAMING}/`)

/** Whether the role `federation` serves the path. A separate role keeps large numbers of activities away from API clients. */
export const isFederationPath = isDocumentPath
