/** Finds which operations have a responder on the bus, by the listings of the NATS services framework. */
import type { NatsConnection } from '@nats-io/transport-node'

/** Milliseconds within which every responder of a service must list its operations. */
const LISTING_MS = 500
const PAUSE_MS = 100

interface Listing {
  endpoints?: readonly { subject: string }[]
}

/** Subjects that the responders of one service serve; empty without responders. */
const endpointsOf = async (nc: NatsConnection, service: string): Promise<Set<string>> => {
  const subjects = new Set<string>()
  try {
    const listings = await nc.requestMany(`$SRV.INFO.murmuration-${service}`, '', {
      strategy: 'timer',
      maxWait: LISTING_MS,
      noMux: true,
    })
    for await (const one of listings)
      for (const { subject } of one.json<Listing>().endpoints ?? []) subjects.add(subject)
  } catch {
    // An error means that there is no responder or no bus, so no subject is served.
  }
  return subjects
}

/** Waits at most `withinMs` until each of `operations` has a responder. Returns the subjects without a responder. */
export const awaitEndpoints = async (
  nc: NatsConnection,
  operations: readonly { service: string; subject: string }[],
  withinMs: number,
): Promise<string[]> => {
  const end = performance.now() + withinMs
  for (let missing = operations; ; ) {
    const services = [...new Set(missing.map((one) => one.service))]
    const found = await Promise.all(services.map((service) => endpointsOf(nc, service)))
    missing = missing.filter((one) => !found.some((subjects) => subjects.has(one.subject)))
    if (missing.length === 0 || performance.now() >= end) return missing.map((one) => one.subject)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
