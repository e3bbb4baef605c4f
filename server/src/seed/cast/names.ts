/** Common names in a diverse city. They refer to no particular person. */
export const firstNames =
  `Aaron Abigail Adriana Ahmed Alejandra Alicia Amara Andre Angela Anita Anthony Beatriz Benjamin
Brandon Brianna Caleb Camila Carlos Caroline Cecilia Chloe Claire Colin Courtney Curtis Daniela Darnell David Deborah
Denise Derek Diana Dmitri Elaine Elena Elijah Emeka Emily Erica Esther Fatima Felix Fiona Gabriel Grace Gregory Hannah
Hector Helen Hyun-woo Ian Imani Isabel Jamal Janelle Jason Jasmine Jerome Joanna Joel José Joyce Julia Kaitlyn Karen
Keisha Kevin Krzysztof Lakshmi Latoya Laura Leah Leon Lillian Lorenzo Luis Lydia Magdalena Malik Marcus Margaret Maria
Martin Mateo Maya Megan Mei-Ling Michael Minh Monica Nadia Naomi Nathan Nicole Nikhil Noah Olivia Omar Owen Patricia Paul
Piotr Priya Rachel Rafael Rebecca Renee Roberto Rosa Ruth Samantha Samuel Sandra Sanjay Sean Sharon Sofía Stephanie
Tamika Teresa Theo Thomas Tomasz Tyler Valentina Vanessa Victor Wei Wendy Xavier Yolanda Yusuf Zachary Zoë`.split(
    /\s+/,
  )

export const lastNames =
  `Abrams Acosta Adeyemi Ahmed Alvarez Anderson Baker Banerjee Barnes Bauer Bell Bianchi Boyd Brennan
Brooks Burke Bąk Cabrera Campbell Carroll Castillo Chandler Chen Cho Coleman Cooper Cruz Dalton Das Davis Delgado Diaz
Dixon Donovan Dvorak Edwards Ellis Espinoza Farrell Fernández Fields Fischer Flores Foster Gallagher Garcia Gibson Goldberg
Gomez Grant Greene Gupta Gutierrez Hall Hansen Harris Hassan Hayes Henderson Herrera Hoffman Howard Huang Hughes Hussain
Ibrahim Jackson Jankowski Jensen Johnson Joshi Kaminski Kaplan Keller Kelly Khan Kim Klein Kowalski Kumar Larsen Lee Levin
Lewandowski Lopez Lynch MacDonald Marino Marshall Martinez Mehta Mendoza Meyer Miller Mitchell Moore Morales Moreno Murphy
Nakamura Navarro Nelson Nguyen Nowak Núñez O’Brien O’Connor Okafor Olsen Ortiz Owens Park Parker Patel Perez Petrov Pham
Phillips Powell Quinn Ramirez Reed Reyes Rivera Robinson Romano Rosen Ross Russo Salazar Sanders Santos Schmidt Schultz
Shah Sharma Silva Simmons Singh Sokolov Stein Sullivan Suarez Szymański Tanaka Taylor Thompson Torres Tran Turner Vargas
Vasquez Wagner Walker Wallace Walsh Wang Washington Watson Weber White Williams Wong Wright Wójcik Yang Young Zhang
Zielinski`.split(/\s+/)

/** Area codes of Chicago and of places that newcomers come from, each with a town in it. */
export const towns: Readonly<Record<string, readonly [city: string, state: string, postal_code: string]>> = {
  '312': ['Chicago', 'IL', '60605'],
  '773': ['Chicago', 'IL', '60647'],
  '872': ['Chicago', 'IL', '60640'],
  '847': ['Evanston', 'IL', '60201'],
  '224': ['Skokie', 'IL', '60077'],
  '708': ['Oak Park', 'IL', '60302'],
  '630': ['Downers Grove', 'IL', '60515'],
  '331': ['Naperville', 'IL', '60540'],
  '815': ['Joliet', 'IL', '60435'],
  '219': ['Hammond', 'IN', '46320'],
  '414': ['Milwaukee', 'WI', '53202'],
  '262': ['Kenosha', 'WI', '53142'],
  '608': ['Madison', 'WI', '53703'],
  '317': ['Indianapolis', 'IN', '46220'],
  '313': ['Detroit', 'MI', '48226'],
  '616': ['Grand Rapids', 'MI', '49503'],
  '314': ['St. Louis', 'MO', '63108'],
  '612': ['Minneapolis', 'MN', '55408'],
  '646': ['New York', 'NY', '10025'],
  '415': ['San Francisco', 'CA', '94117'],
}

/** Under the reserved TLD `.example` (RFC 2606), so no message ever arrives. */
export const mailHosts = [
  'inbox.example',
  'homemail.example',
  'lakepost.example',
  'mailbox.example',
  'quickmail.example',
  'prairienet.example',
  'workmail.example',
]
