"""Names known everywhere that are not this desk's: large cities, states, hotel brands. Short on purpose: a false alarm
is worse than a miss."""

CITIES = (
    *("New York(?: City)?", "NYC", "Los Angeles", "Chicago", "Houston", "Phoenix", "Philadelphia", "San Antonio"),
    *("San Diego", "Dallas", "San Jose", "Austin", "Seattle", "Denver", "Boston", "Las Vegas", "Vegas", "Miami"),
    *("San Francisco", "Nashville", "New Orleans", "Orlando", "Detroit", "Minneapolis", "Washington,? D\\.?C\\.?"),
    *("Atlanta", "Baltimore", "Charlotte", "Cleveland", "Columbus", "Indianapolis", "Kansas City", "Memphis"),
    *("Milwaukee", "Oakland", "Omaha", "Pittsburgh", "Sacramento", "Salt Lake City", "St\\.? Louis", "Saint Louis"),
    *("Tampa", "Tucson", "Albuquerque", "Honolulu", "Anchorage", "Boise", "Spokane", "Tacoma", "Reno", "Cincinnati"),
    *("Vancouver", "Toronto", "Montreal", "Mexico City", "London", "Paris", "Rome", "Berlin", "Madrid", "Barcelona"),
    *("Amsterdam", "Vienna", "Dublin", "Lisbon", "Tokyo", "Sydney", "Singapore", "Hong Kong", "Dubai", "Bangkok"),
)
"""Patterns, capitals as the cities write them."""

CAPITAL_NEEDED = frozenset({"Austin", "Charlotte", "Columbus", "Phoenix", "Orlando", "Reno", "Paris", "Sydney"})
"""Names and words too, in small letters."""

STATES = (
    *("Alabama", "Alaska", "Arizona", "Arkansas", "California", "Colorado", "Connecticut", "Florida", "Hawaii"),
    *("Idaho", "Illinois", "Indiana", "Iowa", "Kansas", "Kentucky", "Louisiana", "Maine", "Maryland"),
    *("Massachusetts", "Michigan", "Minnesota", "Mississippi", "Missouri", "Montana", "Nebraska", "Nevada"),
    *("New Hampshire", "New Jersey", "New Mexico", "North Carolina", "North Dakota", "Ohio", "Oklahoma"),
    *("Pennsylvania", "Rhode Island", "South Carolina", "South Dakota", "Tennessee", "Texas", "Utah", "Vermont"),
    *("Virginia", "West Virginia", "Wisconsin", "Wyoming", "Canada", "Mexico", "England", "France", "Germany"),
    *("Italy", "Spain", "Japan", "Europe"),
)
"""And some countries. Not Washington, which is a park and a street here too."""

STATE_LETTERS = (
    "AL|AK|AZ|AR|CA|CO|CT|FL|GA|ID|IL|IA|KS|KY|LA|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|PA|RI"
    "|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY"
)
"""Without those that are words as well: HI, IN, ME, OK ("Great, OK")."""

BRANDS = (
    *("hyatt", "hilton", "marriott", "sheraton", "westin", "ritz[- ]carlton", "ritz", "radisson", "novotel", "ibis"),
    *("ramada", "wyndham", "doubletree", "hampton inn", "intercontinental", "fairmont", "(?:4|four) seasons"),
    *("best western", "holiday inn", "comfort inn", "days inn", "embassy suites", "crowne plaza", "la quinta"),
    *("motel 6", "super 8", "waldorf(?: astoria)?", "st\\.? regis", "mandarin oriental", "red roof inn", "travelodge"),
)
"""Patterns, to be matched in any letters."""
