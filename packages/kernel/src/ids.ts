/** 64-bit ids ordered by time: milliseconds since 1970 shifted left by 16 bits, plus a sequence number. Decimal text outside PostgreSQL. */
import { randomInt } from 'node:crypto'
import type { Clock } from './clock.js'

export interface Ids {
  /** Returns a new id, greater than all earlier ones of this process, also when the clock is set back. */
  next(): string
  /**
   * Id for a past time `ms`, for backdated remote statuses. Ids for the same time are in the order of the calls, and
   * 65,536 calls in a row return different ids. Many servers send whole seconds, so that whole batches have one time.
   */
  at(ms: number): string
}

const SHIFT = 16n

/** Creates the generator of ids of a process, with milliseconds of `clock`. Two processes may return one id, though rarely. */
export const createIds = (clock: Pick<Clock, 'now'>): Ids => {
  let lastMs = 0
  let sequence = 0
  // Another number in each process, so that processes rarely return the same id for the same time.
  let pastSequence = randomInt(0x10000)
  return {
    next() {
      const now = clock.now()
      if (now > lastMs) {
        lastMs = now
        // Processes of one service begin at different random numbers. The numbers are in the lower half of the range,
        // so that they can still be increased.
        sequence = randomInt(0x8000)
      } else if (++sequence > 0xffff) {
        lastMs++
        sequence = randomInt(0x8000)
      }
      return ((BigInt(lastMs) << SHIFT) | BigInt(sequence)).toString()
    },
    at(ms) {
      pastSequence = (pastSequence + 1) & 0xffff
      return ((BigInt(Math.max(0, Math.floor(ms))) << SHIFT) | BigInt(pastSequence)).toString()
    },
  }
}

/** Smallest id of a time, for date filters. */
export const idFloor = (ms: number): string => (BigInt(Math.max(0, Math.floor(ms))) << SHIFT).toString()

/** Time of an id in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number(BigInt(id) >> SHIFT)
