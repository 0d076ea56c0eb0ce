/** Which role answers which path when both run in one process. */
import { isDocumentPath } from './edge/response/headers.js'

const STREAMING = '/api/v1/streaming'
export const isStreamingPath = (path: string): boolean => path === STREAMING || path.startsWith(`${STREAMING}/`)

/** Paths that other servers ask; a storm of them must not hurt people. */
export const isFederationPath = isDocumentPath
