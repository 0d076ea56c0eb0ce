/** The server and its limits, in the older form. */
import { instanceShowV1 } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { instanceV1 } from '../../views/instance.js'
import { instanceParts } from '../../views/instance-parts.js'

export const showV1 = handle(instanceShowV1, async (ctx) => instanceV1(await instanceParts(ctx)))
