/** The guarded HTTP client for all requests to other servers. */

export { type AddressGuard, addressGuard, isPublicAddress } from './address.js'
export { OutboundError, type OutboundErrorCode, type OutboundStage } from './errors.js'
export { createOutbound, type Outbound } from './outbound.js'
export { type OutboundOptions, readAuthorities } from './policy.js'
export { type Refusal, refusalOf } from './refusal.js'
export type { OutboundRequest, OutboundResponse, OutboundStream } from './request.js'
export { guardUrl, type UrlPolicy } from './url.js'
