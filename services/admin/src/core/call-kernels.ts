/** Concurrent requests to the kernels of all services, some of which may not respond. */
import { OWNERS, type Owner } from '@murmuration/contracts/kernel'
import { errorText, Failure, invalidField } from '@murmuration/contracts/kit'
import type { BaseContext } from '@murmuration/kernel'

/** Milliseconds after which a service counts as unavailable. */
export const PATIENCE_MS = 3_000

/** Error codes of an invalid request. A failure with another code means that the called service is unavailable. */
const REFUSED = new Set(['unprocessable', 'invalid'])

/**
 * The service that a request names; null if it names none, which means all services. Throws for an unknown service
 * name.
 */
export const ownerNamed = (given: string | null | undefined): Owner | null => {
  if (!given) return null
  const owner = OWNERS.find((one) => one === given)
  if (owner === undefined)
    throw invalidField(errorText('Service is none of {services}', { services: OWNERS.join(', ') }))
  return owner
}

export interface OwnerResponses<T> {
  found: Map<Owner, T>
  unavailable: Owner[]
}

/** Calls services concurrently. Returns the responses by service, and the services that did not respond. */
export const callOwners = async <T>(
  ctx: Pick<BaseContext, 'log'>,
  owners: readonly Owner[],
  call: (owner: Owner) => Promise<T>,
): Promise<OwnerResponses<T>> => {
  const found = new Map<Owner, T>()
  const unavailable: Owner[] = []
  const one = async (owner: Owner): Promise<void> => {
    try {
      found.set(owner, await call(owner))
    } catch (error) {
      if (error instanceof Failure && REFUSED.has(error.code)) throw error
      ctx.log.warn({ service: owner, error }, 'a service does not respond to administration')
      unavailable.push(owner)
    }
  }
  await Promise.all(owners.map(one))
  return { found, unavailable: unavailable.toSorted() }
}
