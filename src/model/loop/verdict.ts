/** The verdict of a command: PASS is exit 0, FAIL any other exit code, ERROR means that it could not be judged. */
import * as z from 'zod'

export const verdict = z.enum(['PASS', 'FAIL', 'ERROR'])
