/** Kinds of vehicles that are no cars, by the words of feeds and by makes that build nothing else. */
export const OTHER_VEHICLES = {
  motorcycle: {
    words:
      'motor ?cycles?|motor ?bikes?|scooters?|mopeds?|cruiser bike|street ?bike|dirt ?bike|sport ?bike|trike',
    makes:
      'Harley-Davidson|Indian|Indian Motorcycle|Ducati|KTM|Aprilia|Moto Guzzi|Vespa|Piaggio|Husqvarna|Royal Enfield|Can-Am|Buell|Yamaha|Kawasaki|Triumph Motorcycles',
  },
  trailer: {
    words:
      '(?:utility|cargo|dump|horse|car|gooseneck|enclosed|flatbed|semi|equipment|boat|stock)[ -]?trailers?|trailers?',
    makes: 'Big Tex|PJ Trailers|Load Trail|Wells Cargo|Utility Trailer|Great Dane|Wabash',
  },
  boat: {
    words: 'boats?|pontoons?|jet ?skis?|personal watercraft|pwc|watercraft|yachts?',
    makes:
      'Sea-Doo|Bayliner|Sea Ray|Bennington|MasterCraft|Malibu Boats|Boston Whaler|Tracker Boats|Sun Tracker',
  },
  rv: {
    words:
      'rvs?|motor ?homes?|motor ?coach(?:es)?|class [abc]|fifth[ -]?wheels?|5th wheels?|travel trailers?|toy haulers?|campers?|camper ?vans?|recreational vehicles?',
    makes:
      'Winnebago|Jayco|Airstream|Forest River|Keystone RV|Coachmen|Thor Motor Coach|Fleetwood RV|Tiffin|Newmar|Grand Design',
  },
  powersports: {
    words:
      'atvs?|utvs?|side[ -]by[ -]sides?|sxs|snow ?mobiles?|golf ?carts?|four[ -]?wheelers?|power ?sports?',
    makes: 'Polaris|Arctic Cat|Ski-Doo|CFMOTO|Club Car|E-Z-GO|Kubota',
  },
  heavyTruck: {
    words:
      'heavy[ -]?duty trucks?|semi[ -]?trucks?|semis?|truck tractors?|tractor trucks?|day ?cabs?|sleepers?|sleeper cabs?|dump trucks?|class [78]|buses|bus|school bus(?:es)?|tractors?|fire trucks?|garbage trucks?|forklifts?|excavators?|heavy equipment',
    makes:
      'Peterbilt|Kenworth|Mack|Western Star|International|Navistar|Hino|Autocar|Blue Bird|Thomas Built|Caterpillar|John Deere|Bobcat|UD Trucks',
  },
} as const;

export type OtherVehicle = keyof typeof OTHER_VEHICLES;
