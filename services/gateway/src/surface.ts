/** Assigns request paths to the roles of the gateway, for a process that runs several roles. */
import { isDocumentPath } from './edge/response/headers.js'

const STREAMING = '/api/v1/streaming'
export const isStreamingPath = (path: string): boolean => path === STREAMING || path.startsWith(`${STREAMING}/`)

/** Whether the path is for the role `federation`. A separate role keeps large numbers of activities away from API clients. */
export const isFederationPath = isDocumentPath

/**
 * Whether a role of the gateway serves the path. The role `federation` serves all paths below `/users/`, also RSS feeds,
 * because an Ingress or Gateway routes by this prefix. Two roles therefore serve these feeds. A process with several
 * roles uses the first one that serves the path.
 */
export const isServedBy = (role: string, path: string): boolean =>
  role === 'federation' ? isFederationPath(path) || path.startsWith('/users/') : !isFederationPath(path)
