"""The errors of requests to an image, by what they mean for the caller.

    ImageError                  kind
    ├── NothingRan                              the request had no effect: repeating it is safe
    │   ├── NoImageFound        noImage         no live image has a connection file
    │   ├── FolderUntrusted     untrustedFolder other users could write connection files
    │   ├── SeveralImages       severalImages   one of them must be chosen
    │   ├── NoSuchImage         noSuchImage     no live image has that name
    │   ├── ChoiceFixed         choiceFixed     the image was chosen when pharo-mcp was started
    │   ├── TokenUnknown        noToken         a URL was given whose token is not known
    │   ├── ImageUnreachable    unreachable     nothing listens at the address
    │   ├── ImageSilent         silent          the port accepts connections, but nothing answers
    │   ├── StrangerOnPort      stranger        the program at the address is not a companion
    │   ├── OtherVersion        otherVersion    the versions are incompatible
    │   ├── WrongToken          unauthorized    the companion refused the token
    │   ├── ImageBusy           busy            the image handles as many requests as it can
    │   └── RequestRefused      (the image's)   the image refused, for example badRequest
    │       ├── UnknownClass    unknownClass    there is no class of that name
    │       ├── UnknownMethod   unknownMethod   that side of the class does not define the selector
    │       ├── UnknownPackage  unknownPackage  there is no package of that name
    │       ├── UnknownChange   unknownChange   there is no change of that number
    │       ├── UnknownWindow   unknownWindow   there is no window of that title
    │       ├── NotAllowed      forbidden       the user did not allow it
    │       ├── UndoConflict    conflict        the code to restore was changed since
    │       ├── UnsavedChanges  unsavedChanges  loading would discard changes in the image
    │       ├── Unavailable     unavailable     the image lacks a component
    │       ├── UnknownEvaluation  unknownEvaluation  there is no evaluation of that id
    │       ├── UnknownObject   unknownObject   there is no object of that id
    │       ├── EndpointMissing unknownEndpoint the companion is older than its version says
    │       └── ReadOnlyImage   readOnly        the companion is in read-only mode
    ├── NobodyWaits             nobodyWaits     the caller has cancelled the request
    ├── StillRunning            running         the request is still running in the image
    ├── RegistrationFailed      registrationFailed  something registered reported a failure
    ├── AnswerLost              answerLost      the request may have run; it was not sent again
    ├── CompanionFault          internal        the companion failed; the request may have run
    └── SmalltalkError          (the image's)   the code ran, and ended without a value

Every message says what happened, why, and what to do next; none contains a token.
"""
