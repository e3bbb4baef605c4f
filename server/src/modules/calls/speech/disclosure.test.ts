import { describe, expect, test } from 'vitest'
import { disclosesAi } from './disclosure.ts'

describe('discloses an AI', () => {
  test.for([
    'Hello, this is the AI assistant of Lantern & Oak. This call is recorded.',
    'Hi, I am an AI.',
    "Hi, I'm an ai assistant with Lakeside.",
    'This is Alder, an A.I. assistant for Lakeside Realty.',
    'Hi, this is Alder, an AI assistant with Lakeside, do you have a minute?',
    'You are speaking with an automated voice assistant.',
    'This is an automated call from Lakeside Realty.',
    "I'm Lakeside's virtual assistant.",
    "I'm a digital real estate assistant.",
    'I am an artificial intelligence that calls for Lakeside.',
    'This is not a sales pitch, I am an AI assistant.',
    "I'm not a person but an AI.",
    'No, I am an AI.',
    "I'm a bot. How are you?",
    'A virtual tour is online. I am the AI assistant of Lakeside.',
    'Soy la asistente de IA de Lantern & Oak.',
    'Le habla un asistente virtual de Lakeside.',
    'Hola, soy una inteligencia artificial de Lakeside.',
    'Esta es una llamada automatizada.',
    'No soy una persona, soy una IA.',
    'Habla con el asistente automático de la oficina, ¿tiene un minuto?',
    'Buenas tardes, soy un agente inmobiliario virtual.',
  ])('%s', (text) => expect(disclosesAi(text)).toBe(true))
})

describe('does not disclose an AI', () => {
  test.for([
    '',
    'Hi, it is Anna.',
    'I can offer you a virtual tour of the house on Elm Street.',
    'I can give you an automated valuation of your home.',
    'The lawn is artificial turf.',
    'The kitchen has a virtual doorbell and automated blinds.',
    'I am not an AI.',
    "No, I'm not an AI, I'm Anna.",
    "I'm a real person, not a robot.",
    "This isn't an automated call.",
    'I am a person rather than an AI.',
    'Hi, this is Ai from Lakeside.',
    'Ai Tanaka here, from Lantern & Oak.',
    'Have you tried our AI assistant?',
    'Did an AI call you before?',
    'I call about our AI-powered search of homes.',
    'We use AI to find homes for you.',
    'Le llamo por el recorrido virtual de la casa.',
    'No soy una IA.',
    'No soy un robot, soy Ana.',
    'Esto no es una llamada automatizada.',
    '¿Ha probado nuestro asistente virtual?',
    'Ay, perdone, soy Ana.',
  ])('%s', (text) => expect(disclosesAi(text)).toBe(false))
})
