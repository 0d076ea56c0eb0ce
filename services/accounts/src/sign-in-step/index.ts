/** Names of this module that other modules use. */
export { beginStep, dataOf } from './step.js'
export {
  deleteOldSteps,
  type StepRow,
  setChallenge,
  stepByDigest,
  takeChallenge,
  takeStepByDigest,
  tryStep,
} from './store.js'
