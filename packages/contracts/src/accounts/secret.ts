/** The operation that encrypts the secrets of the accounts service again. */
import { secretRenewalOf } from '../secret-renewal.js'

export const renewAccountSecrets = secretRenewalOf('accounts')
