/** Names of this module that other modules use. */
export { type Acquaintances, createAcquaintances } from './acquaintances.js'
export { createDeposit, type Deposit } from './deposits.js'
export { createHands, type Hands } from './hands.js'
export { createIntake, type Intake } from './intake.js'
export { createRefusals, type Refusals } from './refusals.js'
