/** The exports of this module for other modules. */
export { type AccountCache, createAccountCache } from './account-cache.js'
export { createIntake, type Intake } from './intake.js'
export { createRefusals, type Refusals } from './refusals.js'
export { createStatusUpsert, type UpsertStatus } from './status-upsert.js'
export { createWorkerSlots, type WorkerSlots } from './worker-slots.js'
