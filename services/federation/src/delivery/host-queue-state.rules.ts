/** States of a host queue (the deliveries to one host) in the process that leases it. */

/**
 * States and transitions.
 *
 * | State | Meaning | Ends when | Next state |
 * |---|---|---|---|
 * | `idle` | nothing in memory and nothing in flight; a new host queue begins here | it is woken | `loading` |
 * | | | 250 ms have passed, or 20 ms if more deliveries are known | `checking` |
 * | `loading` | its due deliveries are read | they are read | `sending` |
 * | | | the database fails, or only refusals are left | `idle` |
 * | `sending` | deliveries are in memory or in flight, or more of them are read | the last result is stored | `idle` |
 * | `checking` | the database is asked for new deliveries, or to release the host queue after a second | there are none | `idle` |
 * | | | there are some | `loading` |
 * | `released` | free, postponed, or leased by another process | never | |
 *
 * Each state ends in `released` when the lease is lost. A released host queue is due again at the time in its row.
 */
export type HostQueueState = 'idle' | 'loading' | 'sending' | 'checking' | 'released'

const nextStates: Readonly<Record<HostQueueState, readonly HostQueueState[]>> = {
  idle: ['loading', 'checking', 'released'],
  loading: ['sending', 'idle', 'released'],
  sending: ['idle', 'released'],
  checking: ['idle', 'loading', 'released'],
  released: [],
}

export const mayEnter = (from: HostQueueState, to: HostQueueState): boolean => nextStates[from].includes(to)
