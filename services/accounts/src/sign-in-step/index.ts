/** The exports of this module for other modules. */
export { beginStep, dataOf, tooLate } from './step.js'
export {
  deleteOldSteps,
  deleteStepsOf,
  type StepRow,
  setChallenge,
  stepByDigest,
  takeChallenge,
  takeStepByDigest,
  tryStep,
} from './store.js'
