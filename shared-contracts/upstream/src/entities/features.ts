/** Labels by code. */
type Labels = Readonly<Record<string, string>>;

/** Labels of a listing's features, by the groups of the filter. */
export const FEATURE_GROUPS: Readonly<Record<string, Labels>> = {
  Comfort: {
    HEATEDSEATS: 'Heated Seats',
    COOLEDSEATS: 'Cooled Seats',
    LEATHER: 'Leather Seats',
    HEATEDWHEEL: 'Heated Steering Wheel',
    DUALCLIMATE: 'Dual Zone Climate Control',
    POWERSEAT: 'Power Driver Seat',
    MEMORYSEAT: 'Memory Seats',
    KEYLESSENTRY: 'Keyless Entry',
    PUSHSTART: 'Push Button Start',
    REMOTESTART: 'Remote Start',
  },
  Safety: {
    BACKUPCAMERA: 'Backup Camera',
    BLINDSPOT: 'Blind Spot Monitor',
    AEB: 'Automatic Emergency Braking',
    LANEASSIST: 'Lane Departure Warning',
    ADAPTIVECRUISE: 'Adaptive Cruise Control',
    REARCROSS: 'Rear Cross Traffic Alert',
    PARKSENSORS: 'Parking Sensors',
    CAMERA360: 'Surround View Camera',
  },
  Technology: {
    CARPLAY: 'Apple CarPlay',
    ANDROIDAUTO: 'Android Auto',
    NAVIGATION: 'Navigation System',
    BLUETOOTH: 'Bluetooth',
    PREMIUMAUDIO: 'Premium Sound System',
    WIRELESSCHARGE: 'Wireless Phone Charging',
    HEADUP: 'Head-Up Display',
    WIFI: 'Wi-Fi Hotspot',
    REARENTERTAINMENT: 'Rear Entertainment System',
    SATRADIO: 'Satellite Radio',
  },
  Exterior: {
    SUNROOF: 'Sunroof / Moonroof',
    PANOROOF: 'Panoramic Roof',
    ALLOYWHEELS: 'Alloy Wheels',
    LEDLIGHTS: 'LED Headlights',
    ROOFRACK: 'Roof Rack',
    POWERLIFTGATE: 'Power Liftgate',
    RUNNINGBOARDS: 'Running Boards',
  },
  Seating: {
    THIRDROW: 'Third Row Seat',
    CAPTAINSEATS: 'Captain Seats',
    FOLDFLATSEATS: 'Fold-Flat Rear Seats',
    SPORTSEATS: 'Sport Seats',
  },
  Towing: {
    TOWHITCH: 'Tow Hitch',
    TRAILERBRAKE: 'Trailer Brake Controller',
    BEDLINER: 'Bed Liner',
  },
};

/** The same without groups. */
export const FEATURES: Labels = Object.assign({}, ...Object.values(FEATURE_GROUPS)) as Labels;
