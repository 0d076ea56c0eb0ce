/** Finds which operations are answered on the bus now, as the responders themselves list them. */
import type { NatsConnection } from '@nats-io/transport-node'

/** Milliseconds in which every responder of a service lists its operations. */
const LISTING_MS = 500
const PAUSE_MS = 100

interface Listing {
  endpoints?: readonly { subject: string }[]
}

/** Subjects that the responders of one service answer; empty when there are none. */
const answeredBy = async (nc: NatsConnection, service: string): Promise<Set<string>> => {
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
    // No responder, or no bus: nothing is answered.
  }
  return subjects
}

/**
 * Waits until every one of these operations is answered, at most `withinMs`. Returns the subjects that are not answered
 * then.
 */
export const awaitAnswers = async (
  nc: NatsConnection,
  operations: readonly { service: string; subject: string }[],
  withinMs: number,
): Promise<string[]> => {
  const end = performance.now() + withinMs
  for (let missing = operations; ; ) {
    const services = [...new Set(missing.map((one) => one.service))]
    const answered = await Promise.all(services.map((service) => answeredBy(nc, service)))
    missing = missing.filter((one) => !answered.some((subjects) => subjects.has(one.subject)))
    if (missing.length === 0 || performance.now() >= end) return missing.map((one) => one.subject)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
