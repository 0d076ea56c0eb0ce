/** Generations of caches. */
export { forgetGeneration, generationOf } from './store.js'
