/**
 * What phones write for their named reactions, by emoji and language. `gave` stands around the quotation of the message, or
 * encloses it. `took` is what a person takes back, as in `Removed a heart from “…”`.
 */
export const reactionWords: readonly {
  emoji: string
  gave: Readonly<Record<string, string>>
  took: string
}[] = [
  {
    emoji: '👍',
    gave: {
      en: 'liked, likes, gave a thumbs up to, thumbs up, thumbed up, thumbs up to',
      es: 'le gustó, le gusta, le ha gustado, me gusta, indicó que le gusta, dijo que le gusta, ha dicho que le gusta, ha marcado con me gusta, marcó con me gusta, marcó como me gusta, puso me gusta a, le dio me gusta a, dio me gusta a',
      fr: 'a aimé, aime, j’aime, j’ai aimé, a mis j’aime à, a mis un j’aime à, a mis un pouce en l’air à',
      de: 'gefällt, gefällt mir, mag, mochte, gefiel, hat gefallen, mit gefällt mir, mit einem daumen hoch, mit daumen hoch, findet gut',
      pt: 'curtiu, gostou de, gostei de, gosta de, gostou, deu um joinha em, deu gosto a',
      it: 'piace, mi piace, ha messo mi piace a, ha messo un mi piace a, ha apprezzato, apprezza, gli è piaciuto, le è piaciuto',
      other:
        'vond leuk, vindt leuk, gillade, gillar, likte, liker, syntes om, synes om, kan lide, tykkäsi, tykkää, podoba się, polubił, polubiła, polubił(a), lubi, нравится, понравилось, поставил лайк, вподобав, beğendi, a apreciat, se líbí, tetszik, 赞了, 点赞了, 說讚, 按讚, いいね, を高く評価しました, 좋아함, 좋아합니다, đã thích, menyukai, שיבח, אהב, أعجبني',
    },
    took: 'like, thumbs up, me gusta, j’aime, gefällt mir, daumen hoch, curtir, gosto, mi piace',
  },
  {
    emoji: '❤️',
    gave: {
      en: 'loved, loves, hearted, favorited',
      es: 'le encantó, le encanta, le ha encantado, me encanta, ha dicho que le encanta, dijo que le encanta, ha marcado con me encanta, marcó con me encanta, marcó con un corazón, amó, ama, puso un corazón a, le dio un corazón a',
      fr: 'a adoré, adore, j’adore, a mis un cœur à',
      de: 'liebt, liebte, hat geliebt, geliebt, mit liebe, mit einem herz, mit einem herzen, findet toll, fand toll',
      pt: 'adorou, amou, amei, adorei, ama, adora, deu um coração a',
      it: 'ha adorato, adora, adoro, ha amato, ama, ha messo un cuore a',
      other:
        'vond geweldig, vindt geweldig, was dol op, älskade, älskar, elsket, elskede, elsker, rakasti, rakastaa, pokochał, pokochała, uwielbia, любит, люблю, обожает, bayıldı, çok sevdi, a iubit, miluje, imádta, 爱心, 喜爱, 喜爱了, 喜愛, 愛心, ハート, を大好きと言いました, 사랑함, 하트, đã yêu thích, mencintai, أحب',
    },
    took: 'love, heart, me encanta, corazón, cœur, coeur, j’adore, herz, liebe, coração, cuore',
  },
  {
    emoji: '👎',
    gave: {
      en: 'disliked, dislikes, gave a thumbs down to, thumbs down, thumbed down, thumbs down to',
      es: 'no le gustó, no le gusta, no le ha gustado, no me gusta, indicó que no le gusta, dijo que no le gusta, ha marcado con no me gusta, marcó con no me gusta, puso no me gusta a',
      fr: 'n’a pas aimé, n’aime pas, je n’aime pas',
      de: 'gefällt nicht, gefällt mir nicht, mag nicht, mochte nicht, gefiel nicht, mit gefällt mir nicht, mit einem daumen runter, mit daumen runter',
      pt: 'não curtiu, não gostou de, não gosta de, não gostei de, não gostou',
      it: 'non piace, non mi piace, non ha apprezzato, ha messo non mi piace a, ha messo un non mi piace a, non gli è piaciuto',
      other:
        'vond niet leuk, vindt niet leuk, ogillade, ogillar, mislikte, likte ikke, kan ikke lide, ei tykännyt, nie podoba się, nie lubi, не нравится, не понравилось, beğenmedi, nu a apreciat, nelíbí se, nem tetszik, 踩了, 不喜欢, 不喜歡, よくないね, 싫어함, không thích, tidak menyukai, لم يعجبني',
    },
    took: 'dislike, thumbs down, no me gusta, je n’aime pas, gefällt mir nicht, não curtir, não gosto, non mi piace',
  },
  {
    emoji: '😂',
    gave: {
      en: 'laughed, laughed at, laughs at, laughed to',
      es: 'le dio risa, le da risa, le ha dado risa, ha dicho que le da risa, me divierte, le divirtió, le divierte, le hizo gracia, le ha hecho gracia, se rio de, se rió de, se ríe de, se ha reído de, se rió con, le pareció gracioso, jaja',
      fr: 'a ri, a ri de, a ri à, rit de, a trouvé drôle, a trouvé amusant',
      de: 'lacht über, lachte über, hat gelacht über, hat über gelacht, fand lustig, findet lustig, mit einem lachen, mit haha',
      pt: 'riu de, riu, ri de, rindo de, achou graça de, achou graça em, achou engraçado',
      it: 'ha riso per, ha riso di, ha riso, ride per, ride di, ha trovato divertente',
      other:
        'lachte om, lacht om, moest lachen om, skrattade åt, lo av, lo ad, ler ad, nauroi, zaśmiał się z, śmieje się z, смеётся над, рассмеялся над, güldü, a râs de, zasmál se, nevetett, 大笑, 被逗笑了, 哈哈, 覺得好笑, 笑了, 爆笑, 웃김, đã cười, menertawakan, ضحك على',
    },
    took: 'laugh, haha, risa, jaja, rire, lachen, riso, risada, risata',
  },
  {
    emoji: '‼️',
    gave: {
      en: 'emphasized, emphasised, emphasizes, highlighted, stressed, exclaimed at, exclaimed',
      es: 'enfatizó, enfatiza, ha enfatizado, destacó, ha destacado, resaltó, ha resaltado, subrayó, ha subrayado, exclamó, exclamó por, ha exclamado, hizo hincapié en, ha hecho hincapié en, puso énfasis en, remarcó',
      fr: 'a souligné, souligne, a mis en évidence, a insisté, a insisté sur, a mis l’accent sur, a mis en avant, s’est exclamé sur',
      de: 'betont, betonte, hat betont, unterstrich, hebt hervor, hervorgehoben, hat hervorgehoben, hob hervor, mit ausrufezeichen, mit einem ausrufezeichen',
      pt: 'enfatizou, deu ênfase a, destacou, sublinhou, exclamou, realçou',
      it: 'ha enfatizzato, ha evidenziato, ha sottolineato, ha esclamato, ha messo in evidenza, ha dato enfasi a',
      other:
        'benadrukte, benadrukt, betonade, framhävde, understreket, fremhevet, fremhævede, understregede, korosti, podkreślił, podkreśliła, wyróżnił, выделил, выделила, подчеркнул, vurguladı, a subliniat, zdůraznil, kiemelte, 强调了, 强调, 強調, を強調しました, 강조함, đã nhấn mạnh, menekankan, أكد على',
    },
    took: 'exclamation, exclamation mark, exclamation point, emphasis, exclamación, signos de exclamación, énfasis, point d’exclamation, exclamation, ausrufezeichen, exclamação, ênfase, punto esclamativo, enfasi',
  },
  {
    emoji: '❓',
    gave: {
      en: 'questioned, questions, wondered about, asked about',
      es: 'cuestionó, cuestiona, ha cuestionado, preguntó sobre, preguntó por, ha preguntado por, ha preguntado sobre, puso en duda, ha puesto en duda, dudó de, interrogó',
      fr: 's’est interrogé sur, s’interroge sur, a questionné, a mis en doute, a posé une question sur',
      de: 'hinterfragt, hinterfragte, hat hinterfragt, stellte in frage, hat in frage gestellt, fragte nach, fragt nach, mit fragezeichen, mit einem fragezeichen',
      pt: 'questionou, perguntou sobre, tem dúvidas sobre, interrogou, duvidou de',
      it: 'ha messo in dubbio, ha fatto una domanda su, si chiede, ha chiesto di, si è interrogato su',
      other:
        'twijfelde aan, trok in twijfel, zette vraagtekens bij, ifrågasatte, stilte spørsmål ved, satte spørgsmålstegn ved, kyseenalaisti, zakwestionował, zapytał o, усомнился в, спросил о, sorguladı, a pus la îndoială, zpochybnil, megkérdőjelezte, 质疑了, 质疑, 質疑, 疑问, はてな, に疑問を投げかけました, 물음표, đã hỏi về, mempertanyakan, تساءل عن',
    },
    took: 'question, question mark, interrogación, signo de interrogación, signos de interrogación, point d’interrogation, fragezeichen, interrogação, ponto de interrogação, punto interrogativo, punto di domanda',
  },
]

/** What may stand around an emoji or a name: the words with which phones and languages say “reacted with … to”. */
export const around =
  'reacted, reacts, with, to, a, an, the, from, on, removed, your, their, his, her, my, message, sticker, reaction, unsent, reaccionó, reacciono, reaccionaste, ha, reaccionado, con, al, el, la, un, una, unos, su, mensaje, en, de, eliminó, quitó, borró, eliminado, quitado, reacción, à, sur, au, une, le, réagi, avec, supprimé, retiré, réaction, hat, mit, auf, die, das, ein, eine, einem, von, reagiert, reagierte, reaktion, für, zu, entfernt, entfernte, reagiu, com, ao, à, em, um, uma, removeu, tirou, reação, mensagem, reagito, rimosso, tolto, da, il, reazione, messaggio, reageerde, heeft, gereageerd, met, op, het, een, bericht, verwijderde, reagerade, reagerte, reagerede, med, på, til, och, zareagował, zareagowała, na, z, tepki, verdi, отреагировал, отреагировала, на, с, and, 对, 對, に, に対して, とリアクションしました, リアクションしました, でリアクション, を, 了, のメッセージに, 回应, 反應, 에, 으로, 반응함, 반응했습니다'

/** The words that say that a reaction was taken back. */
export const removing =
  'removed, eliminó, quitó, borró, eliminado, quitado, supprimé, retiré, entfernt, entfernte, removeu, tirou, rimosso, tolto, verwijderde'

/** What a reaction without a quotation names. */
export const withoutText =
  'image, images, photo, photos, picture, video, movie, attachment, message, sticker, link, imagen, foto, archivo, adjunto, mensaje, bild, imagem, immagine, gif, audio, location, contact, memoji, text'
