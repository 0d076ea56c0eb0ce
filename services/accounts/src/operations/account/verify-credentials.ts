/** The account of the viewer. */
import { credentialsVerify } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { credentialAccount } from '../../views/credential-account.js'

export const verifyCredentials = handle(credentialsVerify, (ctx, viewer) => credentialAccount(ctx, viewer.id))
