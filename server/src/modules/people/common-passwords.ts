const words =
  `password passw0rd p@ssword p@ssw0rd letmein welcome qwerty admin changeme iloveyou princess sunshine football
  baseball superman michael dragon monkey realestate realtor broker brokerage gable house home property secret administrator
  master shadow trustno starwars whatever computer internet qwertyuiop asdfghjkl zxcvbnm 1q2w3e4r 1q2w3e4r5t q1w2e3r4t5 1qaz2wsx
  qazwsxedc spring summer autumn winter january february monday friday abcdef abc`.split(/\s+/)

const endings =
  `1 12 123 1234 12345 123456 1234567 12345678 123456789 1234567890 ! 1! 123! 1234! @123 #1 01 007 111 321 2024
  2025 2026 2027 2024! 2025! 2026! 2027! @2025 @2026`.split(/\s+/)

/**
 * Passwords of ten or more characters that attackers try first, in lowercase: common words and keyboard rows with
 * common prefixes and endings. Longer lists exist; the attempt limits stop guesses that this list does not cover.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  ['', ...words].flatMap((word) =>
    ['', word, ...endings].flatMap((ending) => [word + ending, ending + word]),
  ),
)
