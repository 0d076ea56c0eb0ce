/** The task that encrypts all stored secrets again. */
export { renewSecretsKind } from './renew.js'
