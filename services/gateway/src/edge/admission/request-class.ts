/** Class of a request. The class selects the concurrency limit and the time limit. */
import type { RouteClass } from '@murmuration/contracts/kit'
import type { Exchange } from '../exchange.js'
import { isUpload } from '../input/body.js'

/** Returns the class `upload` for requests that may carry files, else the class of the operation. */
export const classOf = ({ req, operation }: Exchange): RouteClass =>
  isUpload(req, operation) ? 'upload' : operation.class
