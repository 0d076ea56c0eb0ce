/** The class of a request, which selects its bulkhead and its time limit. */
import type { RouteClass } from '@murmuration/contracts/kit'
import type { Exchange } from '../exchange.js'
import { isUpload } from '../input/body.js'

/** Requests with files use the bulkhead and the time limit of uploads, whatever their operation. */
export const classOf = ({ req, operation }: Exchange): RouteClass =>
  isUpload(req, operation) ? 'upload' : operation.class
