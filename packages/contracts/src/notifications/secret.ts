/** The operation that encrypts the secrets of the notifications service again. */
import { secretRenewalOf } from '../secret-renewal.js'

export const renewPushSecrets = secretRenewalOf('notifications')
